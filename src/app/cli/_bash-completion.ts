/**
 * The library's script for bash wants the package bash-completion, cannot be sourced twice, and evaluates what has been typed. This one
 * hands the words over as they stand. Where nothing is offered bash goes on with file names.
 */
export const bashScript = `# bash completion for hookline
_hookline() {
  local line word current=\${COMP_WORDS[COMP_CWORD]} words=()
  # Bash takes --host=x for three words.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == = ]] || words+=("$word"); done
  [[ $current == = ]] && current=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :0) ;;
      :*) compopt +o default 2>/dev/null ;;
      "$current"*) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(hookline complete -- "\${words[@]}" "$current" 2>/dev/null)
}
complete -o default -F _hookline hookline
`;
