/**
 * Imports every survey in a folder and says what became of its questions, options and conditions: `npm run judge-imports -- <folder>`.
 * Nothing that decides is shared with the importer: files are read, answers drawn and rules evaluated by the documentation of each format.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judgeForm } from './judge-form.ts'
import { judgeSurvey } from './judge-survey.ts'
import type { Judged, JudgedSurvey, Verdict } from './judged.ts'
import { readArchive } from './limesurvey-file.ts'
import { LimeSurveySource } from './limesurvey-survey.ts'
import { readSurveyJs } from './surveyjs-file.ts'
import { SurveyJsFileSource } from './surveyjs-survey.ts'

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

const PARTS = ['questions', 'options', 'conditions'] as const

/** @returns undefined if the file is no survey */
async function judgeFile(name: string, file: Buffer): Promise<JudgedSurvey | undefined> {
  switch (name.toLowerCase().split('.').at(-1)) {
    case 'xlsx':
      return judgeForm(file, random)
    case 'lsg':
    case 'lsq':
    case 'lss': {
      const archive = readArchive(file.toString('utf8'))
      return archive && judgeSurvey(new LimeSurveySource(archive), random)
    }
    case 'json': {
      const survey = readSurveyJs(file.toString('utf8'))
      return survey && judgeSurvey(new SurveyJsFileSource(survey), random)
    }
    default:
      return undefined
  }
}

const all: Record<(typeof PARTS)[number], Judged[]> = { questions: [], options: [], conditions: [] }
let files = 0
for (const name of readdirSync(folder)) {
  try {
    const judged = await judgeFile(name, readFileSync(join(folder, name)))
    if (!judged) continue
    files += 1
    for (const part of PARTS) {
      all[part].push(...judged[part])
      for (const each of judged[part])
        if (values.list.includes(each.verdict))
          console.log(`${each.verdict}${each.isInFile ? '' : ' (data outside)'}\t${name}\t${part}\t${each.name}\t${each.text}\t${each.why}`)
    }
  } catch (error) {
    console.log(`unread\t${name}\t${String(error)}`)
  }
}
const count = (verdict: Verdict, of: readonly Judged[]) => of.filter((each) => each.verdict === verdict).length
const share = (part: number, whole: number) => `${part} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`
console.log(`files: ${files}`)
for (const part of PARTS) {
  const shown = all[part].filter(({ verdict }) => verdict !== 'not-asked')
  if (shown.length === 0) continue
  const verdicts = (['same', 'differs', 'named', 'unjudged'] as const).map(
    (verdict) => `${verdict} ${share(count(verdict, shown), shown.length)}`,
  )
  const within = shown.filter(({ isInFile }) => isInFile)
  console.log(
    `${part}: ${shown.length}; ${verdicts.join(', ')}; data in the file: ${within.length}, same: ${share(count('same', within), within.length)}`,
  )
}
process.exitCode = PARTS.some((part) => count('differs', all[part]) > 0) ? 1 : 0
