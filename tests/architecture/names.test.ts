import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const app = resolve(import.meta.dirname, '../../app')

/** Builders that read as data where they are used (`{ title: line() }`). */
const MAY_BE_ONE_WORD = new Set([
  'cli/demo/content/questions.ts',
  'server.ts',
  'features/homepage/block-fields.ts',
  'lib/api-client/resource-shape.ts',
  'server/db/schema/columns.ts',
])

/** Functions of a module's top level whose name is one word, such as `accepted` or `fold`. */
function findOneWordFunctions(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const names = source.statements.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return statement.name ? [statement.name.text] : []
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)) ? [name.text] : [],
    )
  })
  return names.filter((name) => /^[a-z][a-z\d]*$/.test(name))
}

test('a function at the top level of a module is named by a verb and its object', () => {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.|\.d\.ts$|\.gen\.ts$/.test(file),
  )
  expect(files.length).toBeGreaterThan(1000)
  const found = files
    .filter((file) => !MAY_BE_ONE_WORD.has(file))
    .flatMap((file) => findOneWordFunctions(file, readFileSync(join(app, file), 'utf8')).map((name) => `${file}: ${name}`))
  expect(found).toEqual([])
})

test('a planted one-word function is found, declared or assigned', () => {
  expect(
    findOneWordFunctions('a.ts', 'export function accepted() {}\nconst fold = () => 1\nexport const MOST = 1\nfunction loadRows() {}'),
  ).toEqual(['accepted', 'fold'])
})
