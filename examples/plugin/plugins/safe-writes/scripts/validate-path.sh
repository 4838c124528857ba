#!/bin/bash
# Refuses a path with a segment `..`, and one whose real place is outside the project.
set -u

INPUT=$(cat)

# Validate JSON structure
if ! printf '%s' "$INPUT" | jq -e 'type == "object"' >/dev/null 2>&1; then
  echo '{"continue": false, "systemMessage": "Invalid JSON input"}'
  exit 1
fi

TARGET=$(printf '%s' "$INPUT" | jq -r '.tool_input.file_path // empty')
ROOT=$(realpath "${CLAUDE_PROJECT_DIR:-$PWD}")

refuse() {
  echo "safe-writes: refused: $1" >&2
  echo '{"continue": false, "systemMessage": "Path traversal detected"}'
  exit 2
}

if [[ -n "$TARGET" ]]; then
  case "/$TARGET/" in
    */../*) refuse "a segment goes up" ;;
  esac
  REAL=$(cd "$ROOT" && realpath -m -- "$TARGET") || refuse "it leads nowhere"
  case "$REAL/" in
    "$ROOT"/*) ;;
    *) refuse "it is outside the project" ;;
  esac
fi

echo '{"continue": true, "systemMessage": "Operation validated"}'
exit 0
