// The server whose HTTP side and engine exchange structured clones alone; `npm test` bundles it.
import './cloning-engine.ts'
import '../../http/main.ts'
