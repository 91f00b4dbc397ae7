import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { ROOT } from './product.ts'

export interface Recipe {
  /** Path of its markdown file. */
  path: string
  steps: Step[]
  /** Test files that its commands run. */
  tests: string[]
  /** Scripts of `package.json` that its commands run. */
  scripts: string[]
}

type Step = CodeStep | { /** Copies or converts files. */ command: string }

interface CodeStep {
  file: string
  /** The one line after which the code goes begins with this; undefined for a new file. */
  after: string | undefined
  code: string
}

const FENCE = /^```([^\n]*)\n(.*?)^```$/gms
const STEP = /^\w+ file=(\S+)(?: after=(["'])(.+)\2)?$/

/** The recipes that `app/README.md` links to. */
export function loadRecipes(): Recipe[] {
  const [, table = ''] = readFileSync(join(ROOT, 'app/README.md'), 'utf8').split('## Recipes')
  return [...table.matchAll(/\]\(([^)#]+README\.md)\)/g)].map(([, link = '']) => {
    const path = posix.join('app', link)
    return parseRecipe(path, readFileSync(join(ROOT, path), 'utf8'))
  })
}

/** Reads a recipe. @throws if a code block neither names its file nor is one of commands */
export function parseRecipe(path: string, text: string): Recipe {
  const recipe: Recipe = { path, steps: [], tests: [], scripts: [] }
  for (const [, info = '', code = ''] of text.matchAll(FENCE)) {
    const [, file, , after] = STEP.exec(info) ?? []
    if (file) recipe.steps.push({ file, after, code })
    else if (info === 'sh') {
      recipe.steps.push(...[...code.matchAll(/^(?:cp|sed) .+$/gm)].map(([command]) => ({ command })))
      recipe.tests.push(...[...code.matchAll(/\S+\.test\.tsx?/g)].map(([name]) => name))
      recipe.scripts.push(...[...code.matchAll(/npm run ([\w-]+)/g)].map(([, name = '']) => name))
    } else throw new Error(`${path}: cannot follow \`\`\`${info}`)
  }
  return recipe
}

/** Does what a recipe says, in a copy of the repository. @throws if the recipe and the code do not fit together */
export function applyRecipe({ path, steps }: Recipe, folder: string): void {
  for (const step of steps) {
    if ('command' in step) {
      execFileSync('sh', ['-c', step.command], { cwd: folder })
      continue
    }
    const { file, after, code } = step
    const target = join(folder, file)
    if (after === undefined) {
      if (existsSync(target)) throw new Error(`${path}: ${file} exists already`)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, code)
    } else {
      if (!existsSync(target)) throw new Error(`${path}: ${file} does not exist`)
      writeFileSync(target, insertAfter(readFileSync(target, 'utf8'), after, code, `${path}: ${file}`))
    }
  }
}

/**
 * Inserts code below the only line that begins with `after`, at that line's indentation, or inside if the line opens a bracket.
 * `a … b` is the first line that begins with `b` below the only one that begins with `a`.
 */
function insertAfter(text: string, after: string, code: string, where: string): string {
  const lines = text.split('\n')
  const [anchor = '', inside] = after.split(' … ')
  const found = lines.flatMap((line, index) => (line.trimStart().startsWith(anchor) ? [index] : []))
  const [first = -1, ...more] = found
  if (first < 0 || more.length > 0) throw new Error(`${where}: ${found.length} lines begin with ${anchor}`)
  const index = inside ? lines.findIndex((line, at) => at > first && line.trimStart().startsWith(inside)) : first
  if (index < 0) throw new Error(`${where}: no line begins with ${inside} below ${anchor}`)
  const line = lines[index] ?? ''
  const indentation = (/^\s*/.exec(line)?.[0] ?? '') + (/[[({]$/.test(line) ? '  ' : '')
  const added = code.trimEnd().split('\n')
  lines.splice(index + 1, 0, ...added.map((one) => (one ? indentation + one : one)))
  return lines.join('\n')
}
