import { type MouseEvent, useEffect, useState } from 'react'
import { useFormAction } from '#app/shell/use-form-action.ts'

/** The router's history state key, which tells forward from back. */
const HISTORY_INDEX_KEY = '__TSR_index'

export interface StepAddress {
  /** The current step. */
  step: string | undefined
  go: (step: string) => void
  /** The URL of a step, for a link or a form. */
  href: (step: string) => string
  /** Link props to open a step without loading the page. */
  follow: (step: string) => { href: string; onClick: (event: MouseEvent) => void }
}

/**
 * Keeps the survey's step in the URL. Bypasses the router, which would load the page around the step from the server: there may be no
 * connection.
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
    // The router overrides `pushState` to load the page; the prototype has the browser's own.
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

/** The page's URL with another step, or without one. */
export function buildStepHref(address: string, step: string): string {
  const [path = '', query] = address.split('?')
  const search = new URLSearchParams(query)
  search.delete('step')
  if (step) search.set('step', step)
  return search.size > 0 ? `${path}?${search}` : path
}
