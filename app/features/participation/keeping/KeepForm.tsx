import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '#app/shell/page-state.tsx'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { keepForm, readFormFields } from './keep-form.ts'
import type { FormFields } from './kept-on-device.ts'
import { readWritten, removeSent, removeWritten, storeWritten } from './written-on-device.ts'
import { useSendWhenOnline } from './use-send-when-online.ts'

export interface KeepFormProps {
  /** Of the form's page, without a language: what is written in another language, or in another tab, is the same. */
  address: string
  /** The server returned the form with its input. */
  isReturned: boolean
  /** Fragment of the address that says that it arrived, if the same page then shows an empty form. */
  arrivedAt?: string
  /** The form was sent and the page waits for the answer. */
  isLeaving: RefObject<boolean>
  /** Something was changed before this had loaded, perhaps only what a map draws. */
  isChanged: RefObject<boolean>
}

/**
 * Inside a form: keeps what is written in it on this device, restores it, and sends it when there is a connection; says so, and can clear it.
 */
export default function KeepForm({ address, isReturned, arrivedAt, isLeaving, isChanged }: KeepFormProps) {
  const { t } = useTranslation('participant')
  const element = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<{ kept: boolean; restored: boolean }>()
  const files = useRef<readonly string[]>([])
  const { waiting, sendWhenReachable } = useSendWhenOnline({ needsToken: useViewer() === null, namedButtons: true })

  useEffect(() => {
    const form = element.current?.closest('form')
    if (!form) return undefined
    if (!isReturned && arrivedAt && location.hash === arrivedAt) void removeSent(address)
    const found = readWritten(address)
    files.current = found.files ?? []
    const store = (fields: FormFields) => storeWritten(address, { fields, isSent: isLeaving.current, files: files.current })
    // What was refused was not sent after all.
    if (isReturned && found.isSent) store(readFormFields(form))
    const stopFiles = watchFiles(form, address, files.current, (kept) => {
      files.current = kept
      setState({ kept: store(readFormFields(form)), restored: false })
    })
    const stop = keepForm(form, {
      place: { read: () => found.fields, store },
      isReturned,
      wasSent: found.isSent === true,
      wasChanged: isChanged.current,
      onKept: (kept) => {
        setState(kept)
        // What was restored is seen.
        if (kept.restored) form.closest('details')?.setAttribute('open', '')
      },
    })
    return () => {
      stop()
      stopFiles()
    }
  }, [address, isReturned, arrivedAt, isLeaving, isChanged])

  useEffect(() => {
    const form = element.current?.closest('form')
    if (!form) return undefined
    const send = (event: SubmitEvent) => {
      storeWritten(address, { fields: readFormFields(form), isSent: true, files: files.current })
      sendWhenReachable(event)
      // The form's own handler sends it at once.
      if (event.defaultPrevented) event.stopPropagation()
    }
    form.addEventListener('submit', send)
    return () => form.removeEventListener('submit', send)
  }, [address, sendWhenReachable])

  const clear = async () => {
    await removeWritten(address)
    // Also the id of what was begun: what is written next is something else.
    location.replace(location.pathname + location.search)
  }
  return (
    <div className="form-kept" ref={element}>
      {waiting && (
        <Notice kind="warning" title={t('kept.offline-title')}>
          {t('kept.offline-text')}
        </Notice>
      )}
      {state?.kept && (
        <p className="row">
          <output className="form-kept-done">
            <Icon name="check" />
            {t(state.restored ? 'kept.restored' : 'kept.saved')}
          </output>
          <Button type="button" kind="plain" size="small" onClick={() => window.confirm(t('kept.clear-sure')) && void clear()}>
            {t('kept.clear')}
          </Button>
        </p>
      )}
    </div>
  )
}

/** Loads what keeps files, if the form asks for any. @returns stops it */
function watchFiles(form: HTMLFormElement, address: string, kept: readonly string[], onChange: (fields: string[]) => void): () => void {
  if (!form.querySelector('input[type=file]')) return () => undefined
  let stop: (() => void) | undefined
  let isStopped = false
  const start = async () => {
    const { keepFiles } = await import('./files-on-device.ts')
    if (!isStopped) stop = keepFiles(form, address, kept, onChange)
  }
  void start()
  return () => {
    isStopped = true
    stop?.()
  }
}
