// `completion`: scripts that complete commands and options in bash and zsh, made from the table of commands.
import type { Command } from '../command.ts'
import { UsageError } from '../command-errors.ts'
import { EXIT } from '../exit-codes.ts'
import { COMMON_OPTIONS, type OptionSpec } from '../given.ts'

const SHELLS = ['bash', 'zsh'] as const

/** The command for a table; it is part of the table itself. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: ['completion'],
    takes: '<bash|zsh>',
    choices: SHELLS,
    summary: 'Print a script that completes commands and options',
    options: {},
    examples: [
      ['source <(cauri completion bash)', 'in ~/.bashrc'],
      ['cauri completion zsh > ~/.zsh/_cauri', 'into a folder of fpath, once; then start zsh again'],
    ],
    run: async ({ given, output }) => {
      const shell = given.argument('shell')
      if (!SHELLS.some((name) => name === shell)) throw new UsageError(`shells: ${SHELLS.join(', ')}`)
      output.raw(shell === 'bash' ? bashScript(commands()) : zshScript(commands()))
      return EXIT.done
    },
  }
}

function bashScript(commands: readonly Command[]): string {
  return `# bash completion of cauri
_cauri() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    path="\${path:+$path }$word"
  done
  case "$path" in
${casesOf(commands)}
  esac
  [[ $current == -* ]] || [[ -n $words && $words != -* ]] || { COMPREPLY=($(compgen -f -- "$current")); return; }
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _cauri cauri
`
}

function zshScript(commands: readonly Command[]): string {
  return `#compdef cauri
# zsh completion of cauri
_cauri() {
  local typed="" word words_=""
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && break
    typed="\${typed:+$typed }$word"
  done
  case "$typed" in
${casesOf(commands).replaceAll('words=', 'words_=')}
  esac
  if [[ $PREFIX != -* && ( -z $words_ || $words_ == -* ) ]]; then _files; else compadd -- \${=words_}; fi
}
# A file of fpath is the function itself at its first call.
if [[ \${funcstack[1]} == _cauri ]]; then _cauri "$@"; else compdef _cauri cauri; fi
`
}

/** A case for each beginning of a command: what may follow it. Behind the argument only options are offered. */
function casesOf(commands: readonly Command[]): string {
  const first = [...new Set(commands.map(({ name }) => name[0] ?? '')), 'help']
  const groups = [...new Set(commands.filter(({ name }) => name.length > 1).map(({ name }) => name[0] ?? ''))]
  const rows: (readonly [string, readonly string[]])[] = [
    ['', first],
    ['help', first.filter((word) => word !== 'help')],
    ...groups.map((group) => [group, commands.filter(({ name }) => name[0] === group).map(({ name }) => name[1] ?? '')] as const),
    ...commands.map(({ name, choices = [], options }) => [name.join(' '), [...choices, ...optionNames(options)]] as const),
  ]
  const behind = commands.map(({ name, options }) => [`${name.join(' ')} `, optionNames(options)] as const)
  return [...rows.map(([path, words]) => caseOf(`"${path}"`, words)), ...behind.map(([path, words]) => caseOf(`"${path}"*`, words))].join(
    '\n',
  )
}

function caseOf(pattern: string, words: readonly string[]): string {
  return `    ${pattern}) words="${words.join(' ')}" ;;`
}

function optionNames(options: Readonly<Record<string, OptionSpec>>): string[] {
  return Object.keys({ ...options, ...COMMON_OPTIONS }).map((name) => `--${name}`)
}
