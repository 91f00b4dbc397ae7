import type { FormEvent } from 'react'
import { ensureBrowserToken } from './browser-token.functions.ts'
import { useViewer } from './page-state.tsx'

/** One request for everything that is pressed on the page, however quickly. */
let fetched: Promise<void> | undefined
let isSettled = false

const markSettled = () => {
  isSettled = true
}

/** Resolves once the browser has its token, or cannot get one: then the answer to what is sent says why. */
export const fetchBrowserToken = (): Promise<void> => (fetched ??= ensureBrowserToken().then(markSettled, markSettled))

function sendWithBrowserToken(event: FormEvent<HTMLFormElement>): void {
  if (isSettled) return
  event.preventDefault()
  const form = event.currentTarget
  const { submitter } = event.nativeEvent as SubmitEvent
  void fetchBrowserToken().then(() => form.requestSubmit(submitter))
}

/** For the `onSubmit` of a form: it leaves once the browser has its token, so that nobody has to press twice. */
export const useSendWithBrowserToken = () => (useViewer() ? undefined : sendWithBrowserToken)
