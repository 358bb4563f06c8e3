/** An icon from our set. Decorative unless it is given a label; words next to it carry the meaning. */
import { h, type JSX } from "preact";
import { ICON_SHAPES, type IconName, type IconShapes, type Shape } from "./icon-shapes.ts";

interface IconProps {
  readonly name: IconName;
  /** Only where no word stands beside it. */
  readonly label?: string | undefined;
  /** Further classes: `i-s` 12 px, `i-l` 32 px, `flip` mirrors right to left. */
  readonly class?: string;
}

export function Icon({ name, label, class: more = "" }: IconProps): JSX.Element {
  const icon: IconShapes = ICON_SHAPES[name];
  const filled = "filled" in icon;
  const shapes = filled ? icon.shapes : icon;
  const look = { class: `i ${filled ? "if " : ""}${more}`, viewBox: "0 0 16 16", focusable: "false" } as const;
  if (label === undefined) {
    return (
      <svg {...look} aria-hidden="true">
        {shapes.map(shapeNode)}
      </svg>
    );
  }
  return (
    <svg {...look} role="img" aria-label={label}>
      {shapes.map(shapeNode)}
    </svg>
  );
}

function shapeNode(shape: Shape, key: number): JSX.Element {
  if (typeof shape === "string") return <path key={key} d={shape} />;
  const { tag = "path", ...attributes } = shape;
  return h(tag, { ...attributes, key });
}
