const response = await fetch(`${process.env.CAURI_URL}/v1/me/events`, {
  redirect: 'error',
  headers: { Authorization: `Bearer ${process.env.ACCESS_TOKEN}`, 'Last-Event-ID': '0' },
})
let text = ''
for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
  text += chunk
  const data = /^data:(.*)$/m.exec(text)?.[1]
  if (data === undefined) continue
  console.log(JSON.parse(data).type)
  break
}
