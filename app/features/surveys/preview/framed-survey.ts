import { buildFieldName } from '../questionnaire/answers.ts'
import { buildStepHref } from '../answering/use-step-address.ts'

/** How a survey's page in a frame is selected in: what stands where, and how to come to what stands on another step. */
export function createFramedSurvey() {
  let stepOf: (id: string) => string | undefined = () => undefined
  return {
    /** Told anew whenever the steps change. */
    setSteps(next: typeof stepOf) {
      stepOf = next
    },
    elementOf: findElement,
    idAt: findPartId,
    reveal(id: string) {
      const step = stepOf(id)
      const { location, history } = window
      if (step === undefined) return
      // As when somebody goes back: the page takes the step from its address.
      History.prototype.replaceState.call(history, history.state, '', buildStepHref(`${location.pathname}${location.search}`, step))
      window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
    },
    /** People walk through it as they would; what leads elsewhere rests. */
    isUsed: (element: Element) => !(element instanceof HTMLAnchorElement) || new URL(element.href).pathname === window.location.pathname,
  }
}

/** The largest field around an element: a question has one, and within it one for each of its parts. */
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

/** Id of the question, or else of the page, that an element belongs to. */
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
