import { readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { ensureBuilt, startProduct, temporaryFolder } from './support/product.ts'

/**
 * Gzipped JavaScript that an anonymous visitor's browser loads for each participant page before anything is clicked: every module the
 * page names, and every module those import. Fails past the budget.
 */
const BUDGET = 170_000
const PAGES = [
  '/',
  '/projects',
  '/projects/fern-street',
  '/projects/fern-street/surveys/your-trip-your-stop',
  '/projects/fern-street/surveys/your-trip-your-stop/results',
  '/hubs',
  '/search',
  '/sign-in',
  '/register',
  '/receipt',
]
const CLIENT = fileURLToPath(new URL('../dist/client', import.meta.url))

const sizes = new Map<string, number>()
const imports = new Map<string, string[]>()

async function read(file: string): Promise<void> {
  if (sizes.has(file)) return
  const text = await readFile(CLIENT + file, 'utf8')
  sizes.set(file, gzipSync(text, { level: 9 }).length)
  const found = [...text.matchAll(/(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{},\s]+?from\s*)?["'](\.\/[^"']+\.js)["']/g)].map(
    ([, path = '']) => `/assets/${path.slice(2)}`,
  )
  imports.set(file, found)
  await Promise.all(found.map(read))
}

function reachable(files: Iterable<string>, seen = new Set<string>()): Set<string> {
  for (const file of files) {
    if (seen.has(file)) continue
    seen.add(file)
    reachable(imports.get(file) ?? [], seen)
  }
  return seen
}

await ensureBuilt()
const folder = temporaryFolder('size')
const product = await startProduct({ DATA_DIR: folder, LOG_LEVEL: 'warn' })
let over = 0
try {
  for (const page of PAGES) {
    const html = await (await fetch(product.origin + page)).text()
    const named = new Set([...html.matchAll(/"?(\/assets\/[\w.-]+\.js)"?/g)].map(([, file = '']) => file))
    await Promise.all([...named].map(read))
    const total = [...reachable(named)].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
    if (total > BUDGET) over += 1
    if (process.argv.includes('--files'))
      for (const file of reachable(named)) console.log(`${((sizes.get(file) ?? 0) / 1000).toFixed(1).padStart(6)}     ${file}`)
    console.log(`${(total / 1000).toFixed(1).padStart(6)} kB  ${page}${total > BUDGET ? '  over the budget' : ''}`)
  }
} finally {
  await product.stop()
  await rm(folder, { recursive: true, force: true })
}
console.log(over ? `${over} pages are over ${BUDGET / 1000} kB.` : `Every page is within ${BUDGET / 1000} kB.`)
process.exitCode = over ? 1 : 0
