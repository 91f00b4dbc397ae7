/**
 * Imports every XLSForm in a folder and says whether each condition in it means the same afterwards: `npm run judge-imports -- <folder>`.
 * Nothing that decides is shared with the importer: forms are read, answers drawn and rules evaluated by the specification of XForms.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type JudgedCondition, judgeForm, type Verdict } from './judge-form.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'string', multiple: true, default: ['differs'] }, seed: { type: 'string', default: '1' } },
})
const [folder] = positionals
if (!folder) throw new Error('Which folder? npm run judge-imports -- <folder> [--list differs] [--seed 1]')

let state = Number(values.seed) || 1
/** A pseudo-random number between 0 and 1 (Mulberry32): the same seed draws the same answers. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

const all: JudgedCondition[] = []
let forms = 0
for (const name of readdirSync(folder).filter((each) => each.toLowerCase().endsWith('.xlsx'))) {
  try {
    const judged = await judgeForm(readFileSync(join(folder, name)), random)
    if (!judged) continue
    forms += 1
    all.push(...judged)
    for (const { line, verdict, why, isInFile } of judged)
      if (values.list.includes(verdict))
        console.log(`${verdict}${isInFile ? '' : ' (data outside)'}\t${name}:${line.number}\t${line.name}\t${line.relevant}\t${why}`)
  } catch (error) {
    console.log(`unread\t${name}\t${String(error)}`)
  }
}
const count = (verdict: Verdict, of: readonly JudgedCondition[] = all) => of.filter((each) => each.verdict === verdict).length
const share = (part: number, whole: number) => `${part} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`
const shown = all.filter(({ verdict }) => verdict !== 'not-asked')
const within = shown.filter(({ isInFile }) => isInFile)
console.log(`forms: ${forms}; conditions on what is asked: ${shown.length}`)
for (const verdict of ['same', 'differs', 'named', 'unjudged'] as const)
  console.log(`${verdict}: ${share(count(verdict, shown), shown.length)}`)
console.log(`data in the file: ${within.length}; same: ${share(count('same', within), within.length)}`)
process.exitCode = count('differs') > 0 ? 1 : 0
