/** Made-up keys in their real forms, put together at run time so that no whole key stands in a file. */
const LETTERS = "aK3xQ9mZ7bT2vR8pL5nW4cJ6dH1fG0sYeUiOqEjMtBzNhDgCkFwXrPvSlAyIuVoT";

function body(length: number): string {
  return LETTERS.repeat(Math.ceil(length / LETTERS.length)).slice(0, length);
}

export const GITHUB_TOKEN = ["ghp", body(36)].join("_");
export const GITHUB_FINE_TOKEN = ["github", "pat", body(82)].join("_");
export const AWS_ID = ["AKIA", "Q3EGT5WZ7RUYP2LM"].join("");
export const MODEL_KEY = ["sk", "proj", body(60)].join("-");
export const ANTHROPIC_KEY = ["sk", "ant", "api03", body(93), "AA"].join("-");
export const SLACK_TOKEN = ["xoxb", "328592023805", "1743899089874", body(24)].join("-");
export const PRIVATE_KEY = [
  "-----BEGIN RSA ",
  "PRIVATE KEY-----\n",
  body(64),
  "\n",
  body(40),
  "\n-----END RSA ",
  "PRIVATE KEY-----",
].join("");
export const LINK_KEY = "Zm9vYmFyLWJhei1xdXV4";
export const LINK = `https://files.example/d/T#k=${LINK_KEY}`;

export const SECRETS: readonly (readonly [type: string, text: string])[] = [
  ["secret.github-token", GITHUB_TOKEN],
  ["secret.github-token", GITHUB_FINE_TOKEN],
  ["secret.aws-access-key", AWS_ID],
  ["secret.model-key", MODEL_KEY],
  ["secret.model-key", ANTHROPIC_KEY],
  ["secret.slack-token", SLACK_TOKEN],
  ["secret.private-key", PRIVATE_KEY],
];
