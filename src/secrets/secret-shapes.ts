/** Not in the middle of a word, unless that is the letter of an escape such as `\n`. */
const STARTS = String.raw`(?<!(?<!\\)[A-Za-z0-9])`;

/** Beginnings that nothing else has. */
const DISTINCT = [
  // Goalkeeper's own
  `goalkeeper_pat_[A-Za-z0-9_-]{43}`,
  // GitHub, GitLab
  `gh[pousr]_[A-Za-z0-9]{30,}`,
  `github_pat_[A-Za-z0-9_]{30,}`,
  `gl(?:pat|dt|rt|rtr|cbt|ptt|ft|soat|agent|imt|ffct|oas)-[A-Za-z0-9_.-]{20,}`,
  // Slack
  `xox[abceoprs]-[A-Za-z0-9-]{10,}`,
  String.raw`xapp-\d-[A-Za-z0-9-]{10,}`,
  String.raw`hooks\.slack\.com\/services\/[A-Za-z0-9_/]{20,}`,
  // Google
  `AIza[A-Za-z0-9_-]{35}`,
  String.raw`ya29\.[A-Za-z0-9_-]{20,}`,
  `GOCSPX-[A-Za-z0-9_-]{20,}`,
  // npm, PyPI, Docker, DigitalOcean
  `npm_[A-Za-z0-9]{36,}`,
  `pypi-[A-Za-z0-9_-]{16,}`,
  `dckr_pat_[A-Za-z0-9_-]{20,}`,
  `do[opr]_v1_[a-f0-9]{40,}`,
];

/** Beginnings that a longer word could also have in its middle. */
const WORDS = [
  // OpenAI, Anthropic and many others; a name in lower case with hyphens has no digits
  String.raw`sk-(?=[A-Za-z_-]*\d|[A-Za-z_-]{40})[A-Za-z0-9_-]{20,}`,
  `(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}`,
  `(?:gsk|hf|whsec|xai)[_-][A-Za-z0-9]{30,}`,
  `(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
  String.raw`SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
  // JWT
  String.raw`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`,
];

/** To its end or, where that was cut off, as far as it looks like one. Escaped line ends count. */
const PRIVATE_KEY =
  `-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----` +
  `(?:(?:[^-]|-(?!----)){0,20000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----` +
  String.raw`|(?:(?:\\[nr]|[ \t\r\n])*[A-Za-z0-9+/=]{16,})*)`;

/** The text before it is kept: it tells what was taken out. */
const HEADER = String.raw`(\b(?:[Bb]earer|BEARER|[Bb]asic)[ \t]{1,4})(?=[^ \t\r\n]{0,400}\d)[A-Za-z0-9._~+/=-]{16,}`;
const URL_PASSWORD = String.raw`(:\/\/[^ \t\r\n:/?#@"'<>]{0,200}:)(?![$<{%*[])[^ \t\r\n@/"'<>]{1,400}(?=@)`;
const AWS_SECRET = String.raw`([Aa][Ww][Ss]_?[Ss][Ee][Cc][Rr][Ee][Tt][A-Za-z_]{0,16}["']?[ \t]{0,4}[:=][ \t]{0,4}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])`;

/** One look at a text finds all of them; groups hold what is kept. */
export const SHAPES = new RegExp(
  [
    HEADER,
    URL_PASSWORD,
    AWS_SECRET,
    PRIVATE_KEY,
    `(?:${DISTINCT.join('|')})`,
    `${STARTS}(?:${WORDS.join('|')})`,
  ].join('|'),
  'g',
);
