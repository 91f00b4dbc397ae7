import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PICTURE_TYPES } from '#app/lib/vocabulary/media.ts'
import { FileButton } from '#app/ui/admin/file-button.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import type { PictureChooserProps } from '#app/ui/admin/picture-input.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Spinner } from '#app/ui/loading.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import { pagePicturesQuery, type PictureDocument, picturesQuery } from '../media.queries.ts'
import type { MediaSearch } from '../media-search.ts'
import { getFileName, PagePictures } from './PagePictures.tsx'
import { PictureGrid } from './PictureGrid.tsx'
import { UploadList } from './UploadPictures.tsx'
import { useUploads } from './use-uploads.ts'

/** Picks one picture from the library; a picture uploaded here is picked at once. */
export function PictureChooser({ onChoose, onClose }: PictureChooserProps) {
  const { t } = useTranslation('media')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const [search, setSearch] = useState<MediaSearch>({})
  const { data, isPending } = useQuery(picturesQuery(search))
  const choosePicture = (picture: PictureDocument) => onChoose({ address: picture.address, alt: picture.altTranslations ?? {} })
  const uploads = useUploads(choosePicture)
  const { data: onPages = [] } = useQuery(pagePicturesQuery)
  const total = data?.meta.total ?? 0
  const last = data?.meta.page.last ?? 1
  const page = search.page ?? 1
  const words = search.q?.toLowerCase() ?? ''
  // After the last page of the library.
  const others = page < last ? [] : onPages.filter(({ address }) => getFileName(address).toLowerCase().includes(words))
  return (
    <Dialog title={t('choose')} isOpen onClose={onClose} closeLabel={admin('nav.close-dialog')} size="large">
      <div className="admin-stack">
        <div className="row row-end">
          <search>
            <form
              onSubmit={(event) => {
                event.preventDefault()
                const q = new FormData(event.currentTarget).get('q')
                setSearch(typeof q === 'string' && q.trim() ? { q: q.trim() } : {})
              }}
            >
              <SearchField name="q" labelClass="search-field-label" label={t('search')} button={t('find')} />
            </form>
          </search>
          <FileButton accept={PICTURE_TYPES} label={t('upload')} onFiles={uploads.add} />
        </div>
        <UploadList uploads={uploads} />
        {isPending && <Spinner label={common('loading')} />}
        {data && total === 0 && others.length === 0 && <EmptyState title={search.q ? t('none-found') : t('none')} level={3} />}
        {data && (
          <PictureGrid
            pictures={data.data}
            control={(picture, name) => (
              <button type="button" className="link-button" onClick={() => choosePicture(picture)}>
                <span className="visually-hidden">{t('take')} </span>
                {name}
              </button>
            )}
          />
        )}
        <PagePictures pictures={others} onChoose={(address) => onChoose({ address, alt: {} })} />
        {last > 1 && (
          <div className="row">
            <Button
              kind="secondary"
              size="small"
              type="button"
              disabled={page <= 1}
              onClick={() => setSearch({ ...search, page: page - 1 })}
            >
              {admin('pages.previous')}
            </Button>
            <Button
              kind="secondary"
              size="small"
              type="button"
              disabled={page >= last}
              onClick={() => setSearch({ ...search, page: page + 1 })}
            >
              {admin('pages.next')}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
