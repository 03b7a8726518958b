// E-mails as the development inbox shows them.
import { eventuallyAsync } from './eventually.ts'
import { askPage } from './raw-page.ts'
import type { TestServer } from './server-fixture.ts'

/** Returns the e-mail to the address that holds the text. */
export async function mailed({ process }: Pick<TestServer, 'process'>, email: string, text: string): Promise<string> {
  let found: string | undefined
  await eventuallyAsync(async () => {
    const page = await askPage(process.baseUrl, '/dev')
    const letters = page.text.split('<li id="m-').filter((letter) => letter.includes(`<bdi>${email}</bdi>`))
    found = letters.find((letter) => letter.replaceAll('&nbsp;', ' ').includes(text))
    return found !== undefined
  }, `an e-mail with “${text}” goes to ${email}`)
  return found ?? ''
}
