import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { find, listFiles, parse, ROOT } from './source-trees.ts'

/** Where a caught fault of one site or turn is gathered and thrown once the others are done. */
const GATHERS_FAULTS = new Set(['app/features/sms/deliver-messages.server.ts'])

/** Waits for something of its own, not inside a function that it only defines. */
function waits(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) return true
  if (ts.isFunctionLike(node)) return false
  return ts.forEachChild(node, (child) => waits(child) || undefined) ?? false
}

/** `throw error` by itself, or unless the error is a known one: whatever is unknown goes on. */
function letsUnknownGo({ block }: ts.CatchClause): boolean {
  return block.statements.some((statement) => {
    if (ts.isThrowStatement(statement)) return true
    if (!ts.isIfStatement(statement) || !isThrow(statement.thenStatement)) return false
    return isNegation(statement.expression)
  })
}

const isThrow = (statement: ts.Statement): boolean =>
  ts.isThrowStatement(statement) || (ts.isBlock(statement) && statement.statements.some((one) => ts.isThrowStatement(one)))

/** `!a`, `a !== b`, or several of them with `&&`. */
function isNegation(condition: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(condition)) return isNegation(condition.expression)
  if (ts.isPrefixUnaryExpression(condition)) return condition.operator === ts.SyntaxKind.ExclamationToken
  if (!ts.isBinaryExpression(condition)) return false
  const { operatorToken, left, right } = condition
  if (operatorToken.kind === ts.SyntaxKind.ExclamationEqualsEqualsToken) return true
  return operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken && isNegation(left) && isNegation(right)
}

/** `.catch(…)` with a handler that does something: records, logs, or tries another way. */
function isRecordingCatch(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== 'catch') return false
  const [handler] = node.arguments
  if (!handler || !ts.isArrowFunction(handler)) return true
  return find(handler.body, (one) => (ts.isCallExpression(one) ? true : undefined)).length > 0
}

/** Lines of a job's file that would record a database that is away as the fault of what the job was at. */
function listBareCatches(path: string, text: string): number[] {
  const source = parse(path, text)
  const lineOf = (node: ts.Node) => source.getLineAndCharacterOfPosition(node.getStart()).line + 1
  return find(source, (node) => {
    if (isRecordingCatch(node)) return lineOf(node)
    if (!ts.isTryStatement(node) || !node.catchClause || !waits(node.tryBlock)) return undefined
    return letsUnknownGo(node.catchClause) ? undefined : lineOf(node.catchClause)
  })
}

/** Files that the lists of jobs name, and those that go through sites or claim rows for a job. */
function listJobFiles(): string[] {
  const lists = ['app/root/jobs.ts', 'app/cli/job-process.ts'].flatMap((list) =>
    find(parse(list, readFileSync(join(ROOT, list), 'utf8')), (node) =>
      ts.isStringLiteral(node) && /^\.\.\/features\/.*\.ts$/.test(node.text)
        ? relative(ROOT, resolve(ROOT, dirname(list), node.text))
        : undefined,
    ),
  )
  const workers = listFiles().filter(
    (file) =>
      file.startsWith('app/features/') &&
      !file.includes('.test.') &&
      /from '#app\/server\/jobs\/(each-site|leased-work|attempt-work)\.ts'/.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  return [...new Set([...lists, ...workers])].toSorted()
}

test('no job blames a piece of its work for a database that is away: it uses `attemptWork`, or lets unknown faults go', () => {
  const files = listJobFiles()
  expect(files.length).toBeGreaterThan(45)
  const found = files
    .filter((file) => !GATHERS_FAULTS.has(file))
    .flatMap((file) => listBareCatches(file, readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}:${line}`))
  expect(found).toEqual([])
})

test.each<[string, string]>([
  ['records whatever happens', 'try { await send() } catch (error) { await record(error) }'],
  ['throws only what it knows', 'try { await send() } catch (error) { if (error instanceof Superseded) throw error; await record(error) }'],
  ['swallows it', 'try { for await (const one of all) use(one) } catch {}'],
  ['records it by a promise', 'await send().catch((error) => record(error))'],
])('a planted catch that %s is found', (_, text) => {
  expect(listBareCatches('a.ts', `async function work() { ${text} }`)).toEqual([1])
})

test.each<[string, string]>([
  ['throws what it does not know', 'try { await send() } catch (error) { if (!isAppError(error)) throw error; await record(error) }'],
  [
    'throws it unless it is one of two',
    "try { await send() } catch (error) { if (!isAppError(error, 'conflict') && !isAppError(error, 'gone')) throw error }",
  ],
  ['cleans up', 'try { await send() } catch (error) { await remove(); throw error }'],
  ['waits for nothing', 'try { parse() } catch { return undefined }'],
  ['only has something instead', 'const names = await readdir(folder).catch(() => [])'],
  ['is the job’s door', 'await attemptWork(() => send(), (error) => record(error))'],
])('a catch that %s is not', (_, text) => {
  expect(listBareCatches('a.ts', `async function work() { ${text} }`)).toEqual([])
})
