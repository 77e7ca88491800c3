// What the linter asks of the page's scripts and of the tests of its model; types are TypeScript's to check.

import js from "@eslint/js";
import globals from "globals";

const PAGE = "bot/playground/page/**/*.js";

/** Ways of making elements from text, which would let a message bring elements and scripts of its own. */
const PARSES_HTML = ["innerHTML", "outerHTML", "insertAdjacentHTML", "write", "writeln", "setHTMLUnsafe", "srcdoc"];

export default [
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "max-lines": ["error", 450],
      "no-constructor-return": "error",
      "no-duplicate-imports": "error",
      "no-else-return": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-param-reassign": "error",
      "no-promise-executor-return": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-throw-literal": "error",
      "no-unused-expressions": "error",
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  {
    files: [PAGE],
    languageOptions: { globals: globals.browser },
    rules: {
      "no-console": "error",
      "no-restricted-properties": ["error", ...PARSES_HTML.map((property) => ({ property }))],
    },
  },
  {
    files: ["bot/playground/page/model/*.js"],
    rules: {
      // What draws imports the model, never the other way round.
      "no-restricted-imports": ["error", { patterns: ["../*", "!../../seat_api.js"] }],
    },
  },
  { files: ["tests/**/*.js"], languageOptions: { globals: globals.node } },
];
