import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '#app/shell/api.ts'
import { invalidatePictures, type PictureDocument } from '../media.queries.ts'
import { MAX_PICTURE_BYTES } from '../media.schema.ts'
import { sendFile } from '../media.resumable-upload.queries.ts'

export interface UploadProgress {
  key: number
  name: string
  bytes: number
  received: number
  /** Set if the upload failed; it can be retried. */
  error?: unknown
}

/** Uploads files to the library, one at a time. Leaving the screen aborts them; they can be resumed later. */
export function useUploads(onAdded?: (picture: PictureDocument) => void) {
  const queryClient = useQueryClient()
  const [sending, setSending] = useState<readonly UploadProgress[]>([])
  const files = useRef(new Map<number, File>())
  const next = useRef(0)
  const queue = useRef(Promise.resolve())
  const leaving = useRef<AbortController>(undefined)

  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  const updateUpload = (key: number, now: Partial<UploadProgress>) =>
    setSending((all) => all.map((one) => (one.key === key ? { ...one, ...now } : one)))
  const removeUpload = (key: number) => {
    files.current.delete(key)
    setSending((all) => all.filter((one) => one.key !== key))
  }

  async function uploadFile(key: number): Promise<void> {
    const file = files.current.get(key)
    const signal = leaving.current?.signal
    if (!file || !signal || signal.aborted) return
    try {
      const upload = await sendFile(file, (received) => updateUpload(key, { received }), signal)
      const { data } = await api.create('media-assets', { attributes: { upload } })
      await invalidatePictures(queryClient)
      removeUpload(key)
      onAdded?.(data)
    } catch (error) {
      if (!signal.aborted) updateUpload(key, { error })
    }
  }
  const enqueue = (key: number) => {
    queue.current = queue.current.then(() => uploadFile(key))
  }

  return {
    sending,
    drop: removeUpload,
    add: (list: Iterable<File>) => {
      const added = [...list].map((file) => ({ key: next.current++, name: file.name, bytes: file.size, received: 0, file }))
      for (const { key, file } of added) files.current.set(key, file)
      setSending((all) => [...all, ...added.map(({ key, name, bytes, received }) => ({ key, name, bytes, received }))])
      for (const { key, bytes } of added) if (bytes <= MAX_PICTURE_BYTES) enqueue(key)
    },
    again: (key: number) => {
      updateUpload(key, { error: undefined, received: 0 })
      enqueue(key)
    },
  }
}
