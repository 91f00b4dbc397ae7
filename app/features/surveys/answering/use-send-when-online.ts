import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'

const RETRY_MS = 4000

/**
 * Sends a form when there is a network to send it over. Without one the form stays as it is, and is sent once the network returns:
 * nobody is led to the browser's own page of failure.
 */
export function useSendWhenOnline(): { waiting: boolean; sendWhenReachable: (event: FormEvent<HTMLFormElement>) => void } {
  const [waiting, setWaiting] = useState(false)
  const sent = useRef(false)
  const form = useRef<HTMLFormElement>(null)

  const attempt = useCallback(async () => {
    const reachable = navigator.onLine && (await isReachable())
    setWaiting(!reachable)
    if (!reachable || sent.current) return
    sent.current = true
    form.current?.submit()
  }, [])

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

  /** A press on another button than the one that sends goes its own way. */
  const sendWhenReachable = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    if (submitter instanceof HTMLButtonElement && submitter.name) return
    event.preventDefault()
    form.current = event.currentTarget
    void attempt()
  }
  return { waiting, sendWhenReachable }
}

/** Also a server that is up while its database is not would only lead to a page of failure. */
async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/readyz', { method: 'HEAD', cache: 'no-store' })).ok
  } catch {
    return false
  }
}
