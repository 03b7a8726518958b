// Requests without a client, for routes that neither @cauri/node nor the small clients of the quickstart serve: wallets,
// operators and dashboard sessions. They use what each language has by itself. A sample makes its Idempotency-Key first and prints it on a
// failure: what was asked may be done then, and is repeated under its key.

import type { RouteShape } from '../../server/route.ts'
import { literal, NODE, PHP, PYTHON, type Value } from './literals.ts'
import { type RequestHeader, requestHeaders } from './request-headers.ts'

export type PlainRequest = Pick<RouteShape, 'auth' | 'method' | 'path' | 'idempotency' | 'bodyExample'>

export function plainNode(request: PlainRequest): string {
  const { method, path, bodyExample } = request
  const headers = requestHeaders(request).map((header) => `    ${nodeName(header.name)}: ${nodeValue(header)},\n`)
  const parts = [
    ...(method === 'GET' ? [] : [`  method: '${method}',\n`]),
    ...(headers.length === 0 ? [] : [`  headers: {\n${headers.join('')}  },\n`]),
    ...(bodyExample === undefined ? [] : [`  body: JSON.stringify(${literal(bodyExample as Value, NODE, '  ')}),\n`]),
  ]
  const options = parts.length === 0 ? '' : `, {\n${parts.join('')}}`
  const asked = `const response = await fetch(\`\${process.env.CAURI_URL}${path}\`${options})\nconsole.log(response.status, await response.text())`
  if (!hasKey(request)) return asked
  return `import { randomUUID } from 'node:crypto'

const key = randomUUID()
try {
${indented(asked, '  ')}
  if (!response.ok) console.error('Idempotency-Key:', key)
} catch (error) {
  console.error('Idempotency-Key:', key)
  throw error
}`
}

function indented(text: string, by: string): string {
  return text.replaceAll(/^(?=.)/gm, by)
}

function nodeName(name: string): string {
  return name.includes('-') ? `'${name}'` : name
}

function nodeValue({ text, value }: RequestHeader): string {
  if (value === undefined) return `'${text}'`
  if (value === 'key') return 'key'
  return text === '' ? `process.env.${value.variable} ?? ''` : `\`${text}\${process.env.${value.variable}}\``
}

export function plainPython(request: PlainRequest): string {
  const { method, path, bodyExample } = request
  const headers = requestHeaders(request).map((header) => `        "${header.name}": ${pythonValue(header)},\n`)
  const parts = [
    ...(method === 'GET' ? [] : [`    method="${method}",\n`]),
    ...(headers.length === 0 ? [] : [`    headers={\n${headers.join('')}    },\n`]),
    ...(bodyExample === undefined ? [] : [`    data=json.dumps(${literal(bodyExample as Value, PYTHON, '    ')}).encode(),\n`]),
  ]
  const modules = [
    ...(bodyExample === undefined ? [] : ['json']),
    'os',
    ...(hasKey(request) ? ['sys'] : []),
    'urllib.request',
    ...(hasKey(request) ? ['uuid'] : []),
  ]
  const asked = `with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`
  const built = `request = urllib.request.Request(
    os.environ["CAURI_URL"] + "${path}",
${parts.join('')})`
  const imports = `${modules.map((name) => `import ${name}\n`).join('')}\n`
  if (!hasKey(request)) return `${imports}${built}\n${asked}`
  return `${imports}key = str(uuid.uuid4())
${built}
try:
${indented(asked, '    ')}
except Exception:
    print("Idempotency-Key:", key, file=sys.stderr)
    raise`
}

function pythonValue({ text, value }: RequestHeader): string {
  if (value === undefined) return `"${text}"`
  if (value === 'key') return 'key'
  return `${text === '' ? '' : `"${text}" + `}os.environ["${value.variable}"]`
}

export function plainPhp(request: PlainRequest): string {
  const { method, path, bodyExample } = request
  // Without a body curl would declare a form, which is no content type of the API.
  const isEmpty = bodyExample === undefined && method !== 'GET'
  const json: RequestHeader = { name: 'Content-Type', text: 'application/json' }
  const headers = [...requestHeaders(request), ...(isEmpty ? [json] : [])].map((header) => `        ${phpHeader(header)},\n`)
  const parts = [
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',\n`]),
    ...(headers.length === 0 ? [] : [`    CURLOPT_HTTPHEADER => [\n${headers.join('')}    ],\n`]),
    ...(bodyExample === undefined ? [] : [`    CURLOPT_POSTFIELDS => json_encode(${literal(bodyExample as Value, PHP, '    ')}),\n`]),
    ...(isEmpty ? ["    CURLOPT_POSTFIELDS => '',\n"] : []),
  ]
  const asked = `$curl = curl_init(getenv('CAURI_URL') . '${path}');
curl_setopt_array($curl, [
${parts.join('')}    CURLOPT_RETURNTRANSFER => true,
]);`
  if (!hasKey(request)) return `<?php\n${asked}\necho curl_exec($curl), "\\n";`
  return `<?php
$key = bin2hex(random_bytes(16));
${asked}
$answer = curl_exec($curl);
echo $answer, "\\n";
if ($answer === false || curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 300) {
    fwrite(STDERR, curl_error($curl) . " Idempotency-Key: $key\\n");
}`
}

function phpHeader({ name, text, value }: RequestHeader): string {
  if (value === undefined) return `'${name}: ${text}'`
  return `'${name}: ${text}' . ${value === 'key' ? '$key' : `getenv('${value.variable}')`}`
}

function hasKey(request: PlainRequest): boolean {
  return requestHeaders(request).some(({ value }) => value === 'key')
}
