// A reporter of node:test: one line for each test file that failed, or for each process of test files that ended early.
import type { TestEvent } from 'node:test/reporters'

// biome-ignore lint/style/noDefaultExport: node:test takes the default export of a reporter.
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) if (type === 'test:fail' && data.nesting === 0) yield `${data.name}\n`
}
