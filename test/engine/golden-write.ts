// Writes golden files: `node --import tsx test/engine/golden-write.ts [--into folder] [name…]`, all of them unless named.
// Never over one that is there: an event that was released keeps its file for ever, a new one gets a new scenario.
import { parseArgs } from 'node:util'
import { EngineFixture } from '../support/engine-fixture.ts'
import { GOLDEN_FOLDER, writeGolden } from './golden-file.ts'
import { GOLDEN_SCENARIOS } from './golden-scenarios.ts'

const { values, positionals } = parseArgs({ options: { into: { type: 'string', default: GOLDEN_FOLDER } }, allowPositionals: true })
for (const [name, play] of Object.entries(GOLDEN_SCENARIOS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const fixture = await EngineFixture.open()
  play(fixture)
  await writeGolden(fixture, name, values.into)
  console.log(name)
}
