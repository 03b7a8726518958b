// The templates of pages: any value that is put into one comes out as text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { html } from '../../../../http/pages/shared/html.ts'

test('text is escaped, HTML of the templates is not, nothing leaves nothing', () => {
  const name = `<b a='1' c="2">&amp;`
  assert.equal(
    html`<i title="${name}">${name}</i>`.text,
    '<i title="&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;">&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;</i>',
  )
  assert.equal(html`${html`<b>${'<'}</b>`}${null}${undefined}${false}${0}${[html`<i></i>`, '>', [1]]}`.text, '<b>&lt;</b>0<i></i>&gt;1')
})

test('no text opens a tag or ends an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const inner = html`<p title="${text}">${text}</p>`.text.slice('<p title="'.length, -'</p>'.length)
      assert.ok(!/[<']/.test(inner))
      assert.equal(inner.split('">').length, 2)
    }),
  )
})
