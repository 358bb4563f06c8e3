/** Sameness of JSON values, for rules that name one and for comparing rules themselves. */
import { isObject, type JsonValue } from "../wire/json.ts";

/** Whether two JSON values are the same; the order of members does not count. */
export function equal(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item: JsonValue, index) => equal(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
  );
}
