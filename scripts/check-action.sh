#!/usr/bin/env bash
# The step "Check" of action.yml: inputs come by variables, so that none of them is read as shell.
set -uo pipefail

arguments=(check --repo "${GITHUB_WORKSPACE:?}" --head HEAD --json)
each() { # flag, lines
  local line
  while IFS= read -r line; do
    [[ "$line" =~ [^[:space:]] ]] && arguments+=("$1" "$line")
  done <<< "$2"
}

if [[ -n "${GK_BASE:-}" ]]; then arguments+=(--base "$GK_BASE")
elif [[ -n "${GK_BRANCH:-}" ]]; then arguments+=(--base "merge-base:refs/remotes/origin/$GK_BRANCH")
fi
each --criterion "${GK_CRITERION:-}"
each --change "${GK_CHANGE:-}"
each --keep "${GK_KEEP:-}"
each --accept "${GK_ACCEPT:-}"
each --setup "${GK_SETUP:-}"
[[ "${GK_ACCEPT_HELD:-}" == true ]] && arguments+=(--accept-held)
[[ "${GK_ALLOW_DEPENDENCIES:-}" == true ]] && arguments+=(--allow-dependencies)
if [[ "${GK_BUNDLE:-}" == /* ]]; then arguments+=(--bundle "$GK_BUNDLE")
elif [[ -n "${GK_BUNDLE:-}" ]]; then arguments+=(--bundle "$GITHUB_WORKSPACE/$GK_BUNDLE")
fi

# Not in the checkout: its .npmrc and node_modules are the author's of the change, and would say
# what "npx goalkeeper" is.
folder="$(mktemp -d "${RUNNER_TEMP:?}/goalkeeper-XXXXXX")" && cd "$folder" || exit 3
result="$folder/check.json"
# The command may be several words, such as "npx --yes goalkeeper".
$GK_COMMAND "${arguments[@]}" > "$result"
code=$?

status="$(node -p 'JSON.parse(fs.readFileSync(process.argv[1], "utf8")).status ?? ""' "$result" 2> /dev/null)"
{
  echo "status=$status"
  echo "result=$result"
} >> "${GITHUB_OUTPUT:?}"
node -e '
  const { status, summary, wayOut, error } = JSON.parse(fs.readFileSync(process.argv[1], "utf8"));
  const said = error ? [error.detail, error.wayOut] : [`${status}: ${summary}`, wayOut];
  for (const line of said) if (line) console.log("| " + line.replaceAll("##[", "## [").replaceAll(/\s+/g, " "));
' "$result" 2> /dev/null
exit "$code"
