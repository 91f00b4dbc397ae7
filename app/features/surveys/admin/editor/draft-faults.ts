import type { Fault } from '#app/lib/app-error.ts'
import { LANGUAGES, type Language } from '#app/lib/languages.ts'
import { checkDefinition, missing } from '../../surveys.definition.ts'
import type { SurveyDraft } from './survey-draft.ts'

/** A fault where it can be mended: in the survey's own fields, on a page or in a question. */
export interface PlacedFault {
  fault: Fault
  /** Of the question or page; without, the fault is one of the survey's texts or settings. */
  id?: string
  pageNumber?: number
  /** Path inside it, which is also the id of the field: `options.0.label.en`. */
  field: string
  language?: Language
}

/** Where a fault of this draft lies. Pointers may come from the API (`/data/attributes/definition/…`) or from our own check. */
export function placeFault(fault: Fault, { definition }: SurveyDraft): PlacedFault {
  const path = (fault.pointer ?? '').replace(/^\/data\/attributes/, '').replace(/^(\/pages\/)/, '/definition$1')
  const [, p, q, rest = ''] = /^\/definition\/pages\/(\d+)(?:\/questions\/(\d+))?(?:\/(.*))?$/.exec(path) ?? []
  const page = p === undefined ? undefined : definition.pages[Number(p)]
  const question = q === undefined ? undefined : page?.questions[Number(q)]
  const field = (page ? rest : path.slice(1)).replaceAll('/', '.')
  const language = LANGUAGES.find((code) => field.endsWith(`.${code}`))
  return {
    fault,
    ...((question ?? page) ? { id: (question ?? page)?.id ?? '' } : {}),
    ...(page ? { pageNumber: Number(p) + 1 } : {}),
    field,
    ...(language ? { language } : {}),
  }
}

/** What would keep the draft from being published, as far as it can be told while somebody types. */
export function faultsOf(draft: SurveyDraft, languages: readonly Language[]): PlacedFault[] {
  const title = Object.values(draft.titleTranslations).some((text) => text?.trim())
    ? missing(draft.titleTranslations, languages, '/titleTranslations')
    : [{ code: 'required' as const, pointer: '/titleTranslations' }]
  return [
    ...title,
    ...missing(draft.introTranslations, languages, '/introTranslations'),
    ...missing(draft.thanksTranslations, languages, '/thanksTranslations'),
    ...checkDefinition(draft.definition, languages),
  ].map((fault) => placeFault(fault, draft))
}
