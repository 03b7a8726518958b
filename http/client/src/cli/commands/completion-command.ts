// `completion`: scripts that complete commands and options in bash, zsh and fish, made from the table of commands.
import type { Command } from '../command.ts'
import { UsageError } from '../command-errors.ts'
import { EXIT } from '../exit-codes.ts'
import { COMMON_OPTIONS, type OptionSpec } from '../given.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** The command for a table; it is part of the table itself. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: ['completion'],
    takes: '<bash|zsh|fish>',
    choices: SHELLS,
    summary: 'Print a script that completes commands and options',
    options: {},
    examples: [
      ['source <(cauri completion bash)', 'in ~/.bashrc'],
      ['cauri completion zsh > ~/.zsh/_cauri', 'into a folder of fpath, once; then start zsh again'],
      ['cauri completion fish > ~/.config/fish/completions/cauri.fish', 'once'],
    ],
    run: async ({ given, output }) => {
      const shell = given.argument('shell')
      if (!SHELLS.some((name) => name === shell)) throw new UsageError(`shells: ${SHELLS.join(', ')}`)
      output.raw(SCRIPTS[shell as (typeof SHELLS)[number]](commands()))
      return EXIT.done
    },
  }
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const satisfies Record<
  (typeof SHELLS)[number],
  (commands: readonly Command[]) => string
>

/** Options have their descriptions. Files are offered behind a command, as its argument may be one. */
function fishScript(commands: readonly Command[]): string {
  const words = wordRows(commands).map(([path, following]) => `complete -c cauri -n '__cauri_at "${path}"' -f -a '${following.join(' ')}'`)
  const options = commands.flatMap(({ name, options: own }) =>
    Object.entries({ ...own, ...COMMON_OPTIONS }).map(([option, { type, about }]) => {
      const place = `-n '__cauri_in "${name.join(' ')}"' -l ${option}${type === 'string' ? ' -r' : ''}`
      return `complete -c cauri ${place} -d '${quoted(about)}'`
    }),
  )
  return `# fish completion of cauri
function __cauri_typed
  set -l words (commandline -opc)
  set -e words[1]
  set -l typed
  for word in $words
    string match -q -- '-*' $word; and break
    set -a typed $word
  end
  echo "$typed"
end
function __cauri_at
  test (__cauri_typed) = "$argv[1]"
end
function __cauri_in
  set -l typed (__cauri_typed)
  test "$typed" = "$argv[1]"; or string match -q -- "$argv[1] *" "$typed"
end
${[...words, ...options].join('\n')}
`
}

/** The text in single quotes of fish: a backslash stands before a quote and before a backslash. */
function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
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
  const rows = commands.map(({ name, choices = [], options }) => [name.join(' '), [...choices, ...optionNames(options)]] as const)
  const behind = commands.map(({ name, options }) => [`${name.join(' ')} `, optionNames(options)] as const)
  return [
    ...[...wordRows(commands).filter(([path]) => !rows.some(([command]) => command === path)), ...rows].map(([path, words]) =>
      caseOf(`"${path}"`, words),
    ),
    ...behind.map(([path, words]) => caseOf(`"${path}"*`, words)),
  ].join('\n')
}

/** What may follow each beginning of a command, and the argument of a command where there are few. */
function wordRows(commands: readonly Command[]): readonly (readonly [path: string, words: readonly string[]])[] {
  const first = [...new Set(commands.map(({ name }) => name[0] ?? '')), 'help']
  const groups = [...new Set(commands.filter(({ name }) => name.length > 1).map(({ name }) => name[0] ?? ''))]
  return [
    ['', first],
    ['help', first.filter((word) => word !== 'help')],
    ...groups.map((group) => [group, commands.filter(({ name }) => name[0] === group).map(({ name }) => name[1] ?? '')] as const),
    ...commands.flatMap(({ name, choices }) => (choices === undefined ? [] : [[name.join(' '), choices] as const])),
  ]
}

function caseOf(pattern: string, words: readonly string[]): string {
  return `    ${pattern}) words="${words.join(' ')}" ;;`
}

function optionNames(options: Readonly<Record<string, OptionSpec>>): string[] {
  return Object.keys({ ...options, ...COMMON_OPTIONS }).map((name) => `--${name}`)
}
