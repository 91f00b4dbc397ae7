import type { Condition } from './conditions.schema.ts'
import type { Definition, Page } from '../surveys.schema.ts'

/** A path from one page to the next, as `walkSurvey` takes it. */
export interface SurveyPath {
  /** Page id. */
  from: string
  /** Id of a later page or of an ending; '' is the end of the survey. */
  to: string
  /** `next` is the default order, `jump` a rule, `skip` passes a hidden page. */
  kind: 'next' | 'jump' | 'skip'
  /** The condition for taking it; for `skip`, the condition that must not hold. Unconditional if omitted. */
  when?: Condition
}

/** Every path through a survey, page by page, in the order in which they are tried. */
export function listPaths({ pages }: Definition): SurveyPath[] {
  const places = new Map(pages.map((page, index) => [page.id, index]))
  return pages.flatMap((page, index): SurveyPath[] => {
    const following = pages[index + 1]?.id ?? ''
    const ways: SurveyPath[] = page.showIf ? [{ from: page.id, to: following, kind: 'skip', when: page.showIf }] : []
    for (const { when, page: target, end } of listEffectiveRules(page)) {
      const forward = (places.get(target ?? '') ?? -1) > index
      ways.push({ from: page.id, to: end ?? (forward && target ? target : following), kind: 'jump', ...(when && { when }) })
    }
    return hasUnconditionalJump(page) ? ways : [...ways, { from: page.id, to: following, kind: 'next' }]
  })
}

/** Ids of the reachable pages and endings; '' is the end of the survey. */
export function listReachableIds(definition: Definition): Set<string> {
  const [first] = definition.pages
  const reached = new Set<string>(first ? [first.id] : [''])
  // Paths only lead forward, so one pass in order finds them all.
  for (const { from, to } of listPaths(definition)) if (reached.has(from)) reached.add(to)
  return reached
}

/** Rules after an unconditional one are never tried. */
function listEffectiveRules({ next = [] }: Page) {
  const always = next.findIndex((rule) => rule.when === undefined)
  return always < 0 ? next : next.slice(0, always + 1)
}

const hasUnconditionalJump = ({ next = [] }: Page): boolean => next.some((rule) => rule.when === undefined)
