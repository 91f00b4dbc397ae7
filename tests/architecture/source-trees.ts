import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

export const ROOT = resolve(import.meta.dirname, '../..')

/** The syntax tree of a file’s text. */
export const parse = (path: string, text: string) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

/** Every source file of the product and its tests, by its path from the root. */
export function listFiles(): string[] {
  return ['app', 'tests'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$|\.gen\.ts$/.test(file))
      .map((file) => `${folder}/${file}`),
  )
}

/** What `look` returns for the nodes of a tree, in their order; `undefined` is left out. */
export function find<Found>(node: ts.Node, look: (node: ts.Node) => Found | undefined): Found[] {
  const own = look(node)
  const below: Found[] = []
  ts.forEachChild(node, (child) => void below.push(...find(child, look)))
  return own === undefined ? below : [own, ...below]
}
