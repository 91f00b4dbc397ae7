import { readLineType, type XlsFormNode } from './xlsform-lines.ts'
import type { TrackedRecord } from './tracked-record.ts'

/**
 * Lines in an order in which conditions only look back: a question that an earlier one of its group depends on is asked just before that
 * one, unless it depends on what it would overtake.
 * @param moved the lines that are asked earlier than in the file
 */
export function orderLines(nodes: readonly XlsFormNode[], moved: Set<TrackedRecord>): XlsFormNode[] {
  const ordered = nodes.map((node) => (node.children ? { ...node, children: orderLines(node.children, moved) } : node))
  for (let index = 0; index < ordered.length; index += 1) {
    const needed = findNeeded(ordered, index)
    if (needed === undefined) continue
    const [node] = ordered.splice(needed, 1)
    if (!node) continue
    ordered.splice(index, 0, node)
    moved.add(node.line)
    // What it needs itself may come later as well.
    index -= 1
  }
  return ordered
}

/** The place of a later question that the condition at `index` names, and that may overtake it. */
function findNeeded(nodes: readonly XlsFormNode[], index: number): number | undefined {
  const condition = nodes[index]?.line.text('relevant') ?? ''
  if (condition === '') return undefined
  for (let later = index + 1; later < nodes.length; later += 1) {
    const { line, children } = nodes[later] ?? {}
    if (!line || children || !isAsked(line) || !namesLine(line).test(condition)) continue
    const passed = nodes.slice(index, later)
    return passed.some((each) => line.matches(namesLine(each.line))) ? undefined : later
  }
  return undefined
}

/** Whether a line asks something. */
export const isAsked = (line: TrackedRecord): boolean => !UNASKED_TYPES.has(readLineType(line.text('type')).type)

/** What names a line in its group: `${age}` or `../age`. */
const namesLine = (line: TrackedRecord): RegExp => {
  const name = line.text('name').replace(/[^\w]/g, String.raw`\$&`)
  return new RegExp(String.raw`\$\{\s*${name}\s*\}|(?<![\w/])\.\.?/${name}(?![\w/.-])`)
}

const UNASKED_TYPES: ReadonlySet<string> = new Set(['calculate', 'hidden', 'note', 'begin', 'end'])
