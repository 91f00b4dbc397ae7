import { type MouseEvent, useEffect, useState } from 'react'
import { useFormAction } from '#app/shell/use-form-action.ts'

/** By which the router tells forward from back. */
const HISTORY_INDEX_KEY = '__TSR_index'

export interface StepAddress {
  /** The step that is shown. */
  step: string | undefined
  /** Shows another step. */
  go: (step: string) => void
  /** The address of a step, for a link or a form. */
  href: (step: string) => string
  /** A link that goes there without loading the page again. */
  follow: (step: string) => { href: string; onClick: (event: MouseEvent) => void }
}

/**
 * Which step of a survey the address names. Steps are taken without the router: it would ask the server for the page around them, and
 * there may be no network.
 */
export function useStepAddress(opened: string | undefined): StepAddress {
  const [step, setStep] = useState(opened)
  const address = useFormAction()

  useEffect(() => {
    const readStep = () => setStep(new URLSearchParams(window.location.search).get('step') ?? undefined)
    window.addEventListener('popstate', readStep)
    return () => window.removeEventListener('popstate', readStep)
  }, [])

  const buildHref = (to: string) => buildStepHref(address, to)
  const goToStep = (to: string) => {
    const state = (window.history.state ?? {}) as Record<string, number | undefined>
    // The router's own `pushState` would load the page; the browser's is the prototype's.
    History.prototype.pushState.call(
      window.history,
      { ...state, [HISTORY_INDEX_KEY]: (state[HISTORY_INDEX_KEY] ?? 0) + 1 },
      '',
      buildHref(to),
    )
    setStep(to || undefined)
    window.scrollTo(0, 0)
  }
  const createStepLink = (to: string) => ({
    href: buildHref(to),
    onClick: (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      goToStep(to)
    },
  })
  return { step, go: goToStep, href: buildHref, follow: createStepLink }
}

/** The page's address with another step, or with none. */
export function buildStepHref(address: string, step: string): string {
  const [path = '', query] = address.split('?')
  const search = new URLSearchParams(query)
  search.delete('step')
  if (step) search.set('step', step)
  return search.size > 0 ? `${path}?${search}` : path
}
