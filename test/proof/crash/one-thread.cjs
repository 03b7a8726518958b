// Preloaded into a server whose failed calls are counted: its log commits on one thread instead of four, and so in one order. The number of
// threads is read at their first use.
'use strict'
const { randomBytes } = require('node:crypto')

process.env.UV_THREADPOOL_SIZE = '1'
randomBytes(1, () => {})
process.env.UV_THREADPOOL_SIZE = '4'
