import { type ReactNode, useState } from 'react'
import { parseRichText, toSafeHref } from '#app/lib/rich-text.ts'
import { Button } from '../../button.tsx'
import { Dialog } from '../dialog.tsx'
import { TextInput } from '../inputs.tsx'
import { useWritingWords } from './writing-words.tsx'

export interface Linked {
  href: string | undefined
  /** No text is selected. */
  needsText: boolean
  text: string
}

interface FormDialogProps {
  title: string
  done: string
  onClose: () => void
  onSubmit: () => void
  more?: ReactNode
  children: ReactNode
}

function FormDialog({ title, done, onClose, onSubmit, more, children }: FormDialogProps) {
  const words = useWritingWords()
  return (
    <Dialog title={title} isOpen size="small" onClose={onClose} closeLabel={words.close}>
      <form
        className="admin-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {children}
        <div className="row row-end">
          {more}
          <Button type="submit">{done}</Button>
        </div>
      </form>
    </Dialog>
  )
}

/** An address as people type it: `example.org` is on the web, and `a@b.org` is a mailbox. */
function completeAddress(typed: string): string | undefined {
  const address = typed.trim()
  const isBare = !/^([a-z][a-z\d+.-]*:|\/)/i.test(address)
  if (isBare && /^[^\s/@]+@[^\s/@]+\.[^\s/@]+$/.test(address)) return toSafeHref(`mailto:${address}`)
  return toSafeHref(isBare && /^[^\s/]+\.[a-z]{2,}(\/|$)/i.test(address) ? `https://${address}` : address)
}

interface LinkDialogProps {
  link: Linked
  onClose: () => void
  onDone: (link: Linked) => void
}

export function LinkDialog({ link, onClose, onDone }: LinkDialogProps) {
  const words = useWritingWords()
  const [address, setAddress] = useState(link.href ?? '')
  const [text, setText] = useState(link.text)
  const [isRefused, setRefused] = useState(false)
  const finish = (href: string | undefined) => {
    onClose()
    onDone({ ...link, href, text: text.trim() || (href ?? '') })
  }
  return (
    <FormDialog
      title={words.link}
      done={words.apply}
      onClose={onClose}
      onSubmit={() => {
        const href = completeAddress(address)
        if (href === undefined) setRefused(true)
        else finish(href)
      }}
      more={
        link.href !== undefined && (
          <Button kind="secondary" onClick={() => finish(undefined)}>
            {words['remove-link']}
          </Button>
        )
      }
    >
      <TextInput
        name="writing-address"
        label={words.address}
        hint={words['link-hint']}
        value={address}
        onChange={setAddress}
        error={isRefused ? words['link-fault'] : undefined}
      />
      {link.needsText && <TextInput name="writing-link-text" label={words['link-text']} value={text} onChange={setText} />}
    </FormDialog>
  )
}

interface VideoAttributes {
  href: string
  title: string
  host: string
}

export function VideoDialog({ onClose, onDone }: { onClose: () => void; onDone: (video: VideoAttributes) => void }) {
  const words = useWritingWords()
  const [address, setAddress] = useState('')
  const [title, setTitle] = useState('')
  const [isTried, setTried] = useState(false)
  // The same reader that will show it decides whether it is a video.
  const [video] = parseRichText(`![-](${address.trim()})`)
  const isVideo = video?.type === 'video'
  return (
    <FormDialog
      title={words.video}
      done={words.insert}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (!isVideo || !title.trim()) return
        onClose()
        onDone({ href: video.href, host: video.host, title: title.trim() })
      }}
    >
      <TextInput
        name="writing-video"
        label={words.address}
        hint={words['video-hint']}
        value={address}
        onChange={setAddress}
        error={isTried && !isVideo ? words['video-fault'] : undefined}
      />
      <TextInput
        name="writing-video-title"
        label={words['video-title']}
        value={title}
        onChange={setTitle}
        error={isTried && !title.trim() ? words['video-title-fault'] : undefined}
      />
    </FormDialog>
  )
}

interface PictureDialogProps {
  alt: string
  onClose: () => void
  onDone: (alt: string) => void
}

export function PictureDialog({ alt: before, onClose, onDone }: PictureDialogProps) {
  const words = useWritingWords()
  const [alt, setAlt] = useState(before)
  return (
    <FormDialog
      title={words.picture}
      done={words.apply}
      onClose={onClose}
      onSubmit={() => {
        onClose()
        onDone(alt.trim())
      }}
    >
      <TextInput name="writing-alt" label={words.alt} hint={words['alt-hint']} value={alt} onChange={setAlt} />
    </FormDialog>
  )
}
