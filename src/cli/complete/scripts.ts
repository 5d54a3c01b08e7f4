/** The completion script of each shell. Each asks `seller __complete` at every Tab, so that a new version needs no new script. */

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

/** bash 3.2, as macOS has it, knows neither mapfile nor compopt, and splits words at ":" and "=". */
const BASH = `# bash completion for seller
_seller() {
  local line candidate
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = ":files" ]; then
      type compopt >/dev/null 2>&1 && compopt -o filenames
      local IFS=$'\\n'
      COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
      return
    fi
    candidate="\${line%%$'\\t'*}"
    COMPREPLY[\${#COMPREPLY[@]}]="$candidate"
  done < <(seller __complete bash "\${COMP_LINE:0:$COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -F _seller seller
`

const ZSH = `#compdef seller
_seller() {
  local line value
  local -a candidates
  while IFS= read -r line; do
    if [[ "$line" == ":files" ]]; then
      _files
      return
    fi
    value="\${line%%$'\\t'*}"
    if [[ "$line" == *$'\\t'* ]]; then
      candidates+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    else
      candidates+=("\${value//:/\\\\:}")
    fi
  done < <(seller __complete zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe -V 'seller' candidates
}
if [ "$funcstack[1]" = "_seller" ]; then
  _seller "$@"
else
  compdef _seller seller
fi
`

const FISH = `# fish completion for seller
function __seller_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (seller __complete fish $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c seller -f -a '(__seller_complete)'
`

/**
 * The variable in which PowerShell passes the line. As an argument it would go through cmd, which runs seller.cmd and reads the
 * line as its own: a Tab behind `"Matt > prices.csv` would empty that file.
 */
export const LINE_VARIABLE = 'SELLER_COMPLETE_LINE'

const POWERSHELL = `# PowerShell completion for seller
Register-ArgumentCompleter -Native -CommandName seller -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $length = $cursorPosition - $commandAst.Extent.StartOffset
    $line = $commandAst.ToString().PadRight($length).Substring(0, $length)
    $env:${LINE_VARIABLE} = $line
    try { $found = @(seller __complete powershell 2>$null) } finally { Remove-Item Env:${LINE_VARIABLE} -ErrorAction SilentlyContinue }
    $found | ForEach-Object {
        $value, $description = $_ -split "\`t", 2
        if ($value -eq ':files') {
            Get-ChildItem -Path "$wordToComplete*" -ErrorAction SilentlyContinue |
                ForEach-Object { [System.Management.Automation.CompletionResult]::new($_.Name, $_.Name, 'ProviderItem', $_.Name) }
        } else {
            if (-not $description) { $description = $value }
            [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
        }
    }
}
`

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL }

/** Instructions for loading the script at every start of the shell. */
export const SETUP: Readonly<Record<Shell, string>> = {
  bash: 'Add this line to ~/.bashrc: source <(seller completion bash)',
  zsh: 'Add this line to ~/.zshrc, below compinit: source <(seller completion zsh)',
  fish: 'Run: seller completion fish > ~/.config/fish/completions/seller.fish',
  powershell: 'Add this line to $PROFILE: seller completion powershell | Out-String | Invoke-Expression',
}
