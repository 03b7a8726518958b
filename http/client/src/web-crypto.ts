// WebCrypto of the runtime. Node.js 18 has it in a module only; every other runtime has the global.

export async function webCrypto(): Promise<Crypto> {
  const found: Crypto | undefined = globalThis.crypto
  if (found !== undefined) return found
  // The name is computed, so that bundlers for workers do not look for the module.
  const name = ['node', 'crypto'].join(':')
  const { webcrypto } = (await import(name)) as { readonly webcrypto: Crypto }
  return webcrypto
}
