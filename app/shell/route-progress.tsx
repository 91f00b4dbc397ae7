import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { SEEN_PATH } from './seen-path.ts'
import { preloadServerCalls } from './server-calls.ts'

/** Signs that the person may be about to navigate: preloads what that needs, so that the first navigation does not wait for it. */
const SIGNS_OF_USE = ['pointerover', 'touchstart', 'keydown'] as const

type Bar = typeof import('./loading-bar.ts')

/** Shows the bar while a route loads, and announces the new page to screen readers. */
export function RouteProgress() {
  // The first page is already shown, although the router checks it again.
  const loading = useRouterState({ select: ({ isLoading, resolvedLocation }) => isLoading && resolvedLocation !== undefined })
  const bar = useRef<Promise<Bar>>(undefined)
  useEffect(() => {
    const noticed = new AbortController()
    const preload = () => {
      noticed.abort()
      bar.current ??= import('./loading-bar.ts')
      preloadServerCalls()
    }
    for (const sign of SIGNS_OF_USE) window.addEventListener(sign, preload, { passive: true, signal: noticed.signal })
    return () => noticed.abort()
  }, [])
  useEffect(() => {
    if (!loading) return
    const shown = { over: false, bar: (bar.current ??= import('./loading-bar.ts')) }
    void startUnlessOver(shown)
    return () => {
      shown.over = true
      void finishBar(shown)
    }
  }, [loading])
  return <PageAnnouncer />
}

interface ShownBar {
  over: boolean
  bar: Promise<Bar>
}

async function startUnlessOver(shown: ShownBar): Promise<void> {
  const { startLoadingBar: start } = await shown.bar
  if (!shown.over) start()
}

const finishBar = async (shown: ShownBar): Promise<void> => (await shown.bar).finishLoadingBar()

function PageAnnouncer() {
  const router = useRouter()
  const [title, setTitle] = useState('')
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return
        // The server sees only first page loads; a prefetch is not a visit.
        navigator.sendBeacon(SEEN_PATH, location.pathname)
        setTitle(document.title)
        // The server wrote it for the page that was left.
        document.querySelector('.language-offer')?.remove()
        if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
      }),
    [router],
  )
  return <output className="visually-hidden">{title}</output>
}
