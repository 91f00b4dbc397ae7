import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseVideoSource } from '#app/lib/video-source.ts'
import { OutsideFrame } from '#app/ui/OutsideFrame.tsx'
import type { RichVideo } from '#app/ui/RichBlocks.tsx'

/** A video of a text: a link to its host, which plays here instead once scripts run and it is pressed. Until then nothing is loaded. */
export function VideoInPlace({ video: { title, href, host } }: { video: RichVideo }) {
  const { t } = useTranslation('participant')
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  // The link that had focus is gone.
  useEffect(() => {
    if (isOpen) place.current?.focus()
  }, [isOpen])
  const source = parseVideoSource(href)
  if (isOpen && source)
    return (
      <div ref={place} tabIndex={-1}>
        <OutsideFrame frame={source.frame} address={href} title={title} size={{ aspectRatio: '16 / 9' }} />
      </div>
    )
  return (
    <div className="prose-video">
      <a
        href={href}
        rel="noopener nofollow ugc"
        onClick={(event) => {
          if (!source || event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {title} ({host})
      </a>
      <p className="meta">{t('home.from-elsewhere', { host })}</p>
    </div>
  )
}
