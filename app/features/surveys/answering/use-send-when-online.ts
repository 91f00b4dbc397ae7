import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { fetchBrowserToken } from '#app/shell/browser-token.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import type { SurveyView } from '../surveys.views.ts'

const RETRY_MS = 4000

/**
 * Sends a form once there is a connection and, for a survey that accepts one response per browser, a token for it. Offline, the form stays on screen and is sent when the connection returns, so that nobody ends
 * up on the browser's error page.
 */
export function useSendWhenOnline({ access }: Pick<SurveyView, 'access'>): {
  waiting: boolean
  sendWhenReachable: (event: FormEvent<HTMLFormElement>) => void
} {
  const [waiting, setWaiting] = useState(false)
  const sent = useRef(false)
  const form = useRef<HTMLFormElement>(null)
  const viewer = useViewer()
  const needsToken = access === 'anyone_once' && viewer === null

  const attempt = useCallback(async () => {
    const reachable = navigator.onLine && (await isReachable())
    setWaiting(!reachable)
    if (!reachable || sent.current) return
    if (needsToken) await fetchBrowserToken()
    if (sent.current) return
    sent.current = true
    form.current?.submit()
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

  /** Other submit buttons keep their normal behaviour. */
  const sendWhenReachable = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    if (submitter instanceof HTMLButtonElement && submitter.name) return
    event.preventDefault()
    form.current = event.currentTarget
    void attempt()
  }
  return { waiting, sendWhenReachable }
}

/** Asks the server, because one whose database is down would only return an error page. */
async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/readyz', { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}
