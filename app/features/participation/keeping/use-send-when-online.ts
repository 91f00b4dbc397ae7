import { useCallback, useEffect, useRef, useState } from 'react'
import { fetchBrowserToken } from '#app/shell/browser-token.ts'

const RETRY_MS = 4000

/** What waits to be sent. */
interface Waiting {
  form: HTMLFormElement
  /** The button that was pressed, if the server has to know. */
  button: HTMLElement | null
}

interface SendingRules {
  /** The server has to recognise the browser, which may not have its token yet. */
  needsToken: boolean
  /** Buttons with a name send too; otherwise they keep their normal behaviour. */
  namedButtons?: boolean
}

/**
 * Sends a form once there is a connection and, if it needs one, a token for the browser. Offline, the form stays on screen and is sent when
 * the connection returns, so that nobody ends up on the browser's error page.
 */
export function useSendWhenOnline({ needsToken, namedButtons = false }: SendingRules): {
  waiting: boolean
  sendWhenReachable: (event: SubmitEvent) => void
} {
  const [waiting, setWaiting] = useState(false)
  const pressed = useRef<Waiting>(undefined)
  const state = useRef<'open' | 'leaving' | 'sent'>('open')

  const attempt = useCallback(async () => {
    const reachable = navigator.onLine && (await isReachable())
    setWaiting(!reachable)
    if (!reachable || state.current !== 'open') return
    if (needsToken) await fetchBrowserToken()
    if (state.current !== 'open' || !pressed.current) return
    const { form, button } = pressed.current
    state.current = 'leaving'
    if (button) form.requestSubmit(button)
    else form.submit()
    state.current = 'sent'
  }, [needsToken])

  useEffect(() => {
    if (!waiting) return undefined
    const retryAttempt = () => void attempt()
    const timer = setInterval(retryAttempt, RETRY_MS)
    window.addEventListener('online', retryAttempt)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', retryAttempt)
    }
  }, [waiting, attempt])

  // A page that Back has brought out of the browser's memory can be sent again.
  useEffect(() => {
    const openAgain = ({ persisted }: PageTransitionEvent) => {
      if (persisted) state.current = 'open'
    }
    window.addEventListener('pageshow', openAgain)
    return () => window.removeEventListener('pageshow', openAgain)
  }, [])

  const sendWhenReachable = useCallback(
    (event: SubmitEvent) => {
      const { submitter } = event
      const isNamed = submitter instanceof HTMLButtonElement && submitter.name !== ''
      // A pressed picture sends where it was pressed, which only the browser knows.
      const isPicture = submitter instanceof HTMLInputElement && submitter.type === 'image'
      if (state.current === 'leaving' || isPicture || (isNamed && !namedButtons)) return
      event.preventDefault()
      pressed.current = { form: event.target as HTMLFormElement, button: isNamed ? submitter : null }
      void attempt()
    },
    [attempt, namedButtons],
  )
  return { waiting, sendWhenReachable }
}

/** Asks the server, because one whose database is down would only return an error page. */
async function isReachable(): Promise<boolean> {
  try {
    const { database } = (await (await fetch('/readyz', { cache: 'no-store' })).json()) as { database?: string }
    return database === 'up'
  } catch {
    return false
  }
}
