// Requests without a client, for routes that neither @cauri/node nor the small clients of the quickstart serve: wallets,
// operators and dashboard sessions. They use what each language has by itself.

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
  const imports = hasKey(request) ? "import { randomUUID } from 'node:crypto'\n\n" : ''
  const options = parts.length === 0 ? '' : `, {\n${parts.join('')}}`
  return `${imports}const response = await fetch(\`\${process.env.CAURI_URL}${path}\`${options})\nconsole.log(response.status, await response.text())`
}

function nodeName(name: string): string {
  return name.includes('-') ? `'${name}'` : name
}

function nodeValue({ text, value }: RequestHeader): string {
  if (value === undefined) return `'${text}'`
  if (value === 'key') return 'randomUUID()'
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
  const modules = [...(bodyExample === undefined ? [] : ['json']), 'os', 'urllib.request', ...(hasKey(request) ? ['uuid'] : [])]
  return `${modules.map((name) => `import ${name}\n`).join('')}
request = urllib.request.Request(
    os.environ["CAURI_URL"] + "${path}",
${parts.join('')})
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`
}

function pythonValue({ text, value }: RequestHeader): string {
  if (value === undefined) return `"${text}"`
  if (value === 'key') return 'str(uuid.uuid4())'
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
  return `<?php
$curl = curl_init(getenv('CAURI_URL') . '${path}');
curl_setopt_array($curl, [
${parts.join('')}    CURLOPT_RETURNTRANSFER => true,
]);
echo curl_exec($curl), "\\n";`
}

function phpHeader({ name, text, value }: RequestHeader): string {
  if (value === undefined) return `'${name}: ${text}'`
  return `'${name}: ${text}' . ${value === 'key' ? 'bin2hex(random_bytes(16))' : `getenv('${value.variable}')`}`
}

function hasKey(request: PlainRequest): boolean {
  return requestHeaders(request).some(({ value }) => value === 'key')
}
