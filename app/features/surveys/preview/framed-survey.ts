import { buildFieldName } from '../questionnaire/field-names.ts'
import { buildStepHref } from '../answering/use-step-address.ts'

/** Selection in a framed survey page: finds elements by part and parts by element, and opens parts on other steps. */
export function createFramedSurvey() {
  let stepOf: (id: string) => string | undefined = () => undefined
  return {
    /** Called whenever the steps change. */
    setSteps(next: typeof stepOf) {
      stepOf = next
    },
    elementOf: findElement,
    idAt: findPartId,
    reveal(id: string) {
      const step = stepOf(id)
      const { location, history } = window
      if (step === undefined) return
      // As with the back button: the page reads the step from its URL.
      History.prototype.replaceState.call(history, history.state, '', buildStepHref(`${location.pathname}${location.search}`, step))
      window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
    },
    /** Editors can use the survey normally; links to other pages are disabled. */
    isUsed: (element: Element) => !(element instanceof HTMLAnchorElement) || new URL(element.href).pathname === window.location.pathname,
  }
}

/** The outermost field around an element: a question has one, with another inside for each of its parts. */
function findOutermostField(element: Element | null): Element | null {
  let found: Element | null = null
  for (let around = element?.closest(FIELD_SELECTOR) ?? null; around; around = around.parentElement?.closest(FIELD_SELECTOR) ?? null)
    found = around
  return found
}

const FIELD_SELECTOR = 'form .field, form .survey-info'

function findElement(id: string): Element | null {
  const name = buildFieldName(id)
  const control = document.getElementById(name) ?? document.querySelector(`[name="${CSS.escape(name)}"], [name^="${CSS.escape(name)}."]`)
  return findOutermostField(control) ?? document.getElementById(`part-${id}`)?.closest('section') ?? null
}

/** Id of the question, or otherwise of the page, that an element belongs to. */
function findPartId(element: Element): string | null {
  const field = findOutermostField(element)
  const named = field && [field, ...field.querySelectorAll('[name], [id]')].map((each) => each.getAttribute('name') ?? each.id)
  const name = named?.find((each) => each.startsWith('q.'))
  if (name) return name.split('.')[1] ?? null
  return (
    element
      .closest('section')
      ?.getAttribute('aria-labelledby')
      ?.replace(/^part-/, '') ?? null
  )
}
