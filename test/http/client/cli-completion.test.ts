// What `cauri completion` prints, sourced in the shells themselves.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runCli } from '../../support/cli.ts'
import { programMissing } from '../../support/generated-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'cauri-completion-'))
after(() => rmSync(folder, { recursive: true }))

test('completion scripts offer groups, commands and options', async () => {
  const bash = await runCli(['completion', 'bash'])
  const script = `${bash.stdout}
    complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _cauri; echo "\${COMPREPLY[*]}"; }
    complete_line cauri pay; complete_line cauri payouts ''; complete_line cauri payouts create --rec
    complete_line cauri trigger payout.f; complete_line cauri help bal; complete_line cauri completion z
    complete_line cauri batch upload paie.csv --dry`
  writeFileSync(join(folder, 'completion.bash'), script)
  const { stdout, stderr } = spawnSync('bash', [join(folder, 'completion.bash')], { encoding: 'utf8' })
  assert.equal(stderr, '')
  assert.deepEqual(stdout.trim().split('\n'), [
    ...['payouts', 'create list check-recipient get', '--recipient'],
    ...['payout.failed', 'balance', 'zsh', '--dry-run'],
  ])
  assert.match((await runCli(['completion', 'zsh'])).stdout, /^#compdef cauri/)
  assert.equal((await runCli(['completion', 'tcsh'])).code, 2)
})

test('the completion of zsh offers groups, commands, options and arguments', { skip: programMissing('zsh') }, async () => {
  const { stdout: text } = await runCli(['completion', 'zsh'])
  // Outside of a completion the word list is an ordinary array, and what is offered is printed.
  const lines = [
    'compdef() { : }; compadd() { shift; print -r -- "$@" }; _files() { print files }',
    text,
    'complete_line() { words=("$@"); CURRENT=$#; PREFIX=$@[-1]; _cauri }',
    "complete_line cauri pay; complete_line cauri payouts ''; complete_line cauri completion ''; complete_line cauri batch upload pai",
  ]
  writeFileSync(join(folder, 'completion.zsh'), lines.join('\n'))
  const { stdout, stderr } = spawnSync('zsh', ['-f', join(folder, 'completion.zsh')], { encoding: 'utf8' })
  assert.equal(stderr, '')
  const [groups = '', commands, shells = '', files] = stdout.trim().split('\n')
  assert.deepEqual(
    [groups.includes('payouts'), commands, shells.startsWith('bash zsh fish --json'), files],
    [true, 'create list check-recipient get', true, 'files'],
  )
})

test('the completion of fish offers groups, commands, arguments and options with their descriptions', {
  skip: programMissing('fish'),
}, async () => {
  const { stdout: text } = await runCli(['completion', 'fish'])
  const lines = ['cauri pay', 'cauri payouts c', 'cauri completion f', 'cauri payouts create --rec', 'cauri get /v1 --re']
  writeFileSync(join(folder, 'completion.fish'), [text, ...lines.map((line) => `complete -C '${line}'; echo =`)].join('\n'))
  const { stdout, stderr } = spawnSync('fish', ['--no-config', join(folder, 'completion.fish')], {
    encoding: 'utf8',
    env: { ...process.env, HOME: folder },
  })
  assert.equal(stderr, '')
  assert.deepEqual(
    stdout.split('=\n').map((offered) => offered.trim()),
    [
      'payouts',
      'check-recipient\ncreate',
      'fish',
      '--recipient\ttag of the wallet, or its phone',
      '--retries\tfurther attempts of a request; 5 without it',
      '',
    ],
  )
})
