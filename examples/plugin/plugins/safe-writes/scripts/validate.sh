#!/bin/bash
# validate.sh - the validator as the specification has it. Looking for ".." anywhere also refuses a..b, and does not see
# absolute paths or links that lead out of the project; validate-path.sh does better.

# Read stdin as JSON
INPUT=$(cat)

# Validate JSON structure
if ! echo "$INPUT" | jq -e . >/dev/null 2>&1; then
  echo '{"continue": false, "systemMessage": "Invalid JSON input"}'
  exit 1
fi

# Extract and validate tool input
FILE_PATH=$(echo "$INPUT" | jq -r '.tool_input.file_path // empty')

# Security check: prevent path traversal
if [[ "$FILE_PATH" == *".."* ]]; then
  echo '{"continue": false, "systemMessage": "Path traversal detected"}'
  exit 2
fi

# All checks passed
echo '{"continue": true, "systemMessage": "Operation validated"}'
exit 0
