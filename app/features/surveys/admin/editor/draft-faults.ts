import type { Fault } from '#app/lib/app-error.ts'
import { CONTENT_LANGUAGES, type ContentLanguage } from '#app/lib/languages.ts'
import { checkDefinition, checkTexts } from '../../questionnaire/check-definition.ts'
import { listForeignReferences } from '../../questionnaire/foreign-references.ts'
import type { SurveyDraft } from './survey-draft.ts'

/** A fault and where to fix it: in the survey's own fields, on a page, in a question, a closing page or a quota. */
export interface PlacedFault {
  fault: Fault
  /** Id of the question, page, closing page or quota; undefined for the survey's own texts and settings. */
  id?: string
  pageNumber?: number
  /** Path inside it, which is also the field's id: `options.0.label.en`; for a closing page or quota, inside the definition. */
  field: string
  language?: ContentLanguage
}

/** Codes of faults in the logic, as opposed to texts and options that are still missing. */
export const LOGIC_FAULTS: ReadonlySet<string> = new Set(['unknown-reference', 'refers-later', 'jumps-back', 'never-reached', 'never-true'])

/** Locates a fault in this draft. Pointers come from the API (`/data/attributes/definition/…`) or from our own check. */
export function placeFault(fault: Fault, { definition }: SurveyDraft): PlacedFault {
  const path = (fault.pointer ?? '')
    .replace(/^\/data\/attributes/, '')
    .replace(/^\/(title|intro|thanks)\b/, '/$1Translations')
    .replace(/^(\/(?:pages|endings|quotas)\b)/, '/definition$1')
  const [, p, q, rest = ''] = /^\/definition\/pages\/(\d+)(?:\/questions\/(\d+))?(?:\/(.*))?$/.exec(path) ?? []
  const [, list, at] = /^\/definition\/(endings|quotas)\/(\d+)\//.exec(path) ?? []
  const beside = list === undefined ? undefined : definition[list as 'endings' | 'quotas']?.[Number(at)]
  const page = p === undefined ? undefined : definition.pages[Number(p)]
  const question = q === undefined ? undefined : page?.questions[Number(q)]
  const field = (page ? rest : path.slice(1).replace(/^definition\//, '')).replaceAll('/', '.')
  const language = CONTENT_LANGUAGES.find((code) => field.endsWith(`.${code}`))
  return {
    fault,
    ...withId((question ?? page ?? beside)?.id),
    ...(page ? { pageNumber: Number(p) + 1 } : {}),
    field,
    ...(language ? { language } : {}),
  }
}

const withId = (id: string | undefined) => (id === undefined ? {} : { id })

/** Everything that would prevent publishing, as far as it can be checked while editing. */
export function listDraftFaults(draft: SurveyDraft, languages: readonly ContentLanguage[]): PlacedFault[] {
  const inDefinition = checkDefinition(draft.definition, languages).map((fault) => ({
    ...fault,
    pointer: `/definition${fault.pointer ?? ''}`,
  }))
  return [...checkTexts(getTexts(draft), languages), ...inDefinition].map((fault) => placeFault(fault, draft))
}

/** Texts that refer to answers in the syntax of another tool. They do not prevent publishing. */
export const listForeignReferenceFaults = (draft: SurveyDraft): PlacedFault[] =>
  listForeignReferences(getTexts(draft), draft.definition).map((fault) => placeFault(fault, draft))

const getTexts = ({ titleTranslations: title, introTranslations: intro, thanksTranslations: thanks }: SurveyDraft) => ({
  title,
  intro,
  thanks,
})
