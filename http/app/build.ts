// `npm run build`: see dist.ts.
import { buildDist } from './dist.ts'

await buildDist()
