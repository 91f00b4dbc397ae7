import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PICTURE_TYPES } from '#app/lib/vocabulary/media.ts'
import { FileButton } from '#app/ui/admin/file-button.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Spinner } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import type { MediaSearch } from '../media-search.ts'
import { pagePicturesQuery, PICTURES_PER_PAGE, picturesQuery } from '../media.queries.ts'
import { getFileName, PagePictures } from './PagePictures.tsx'
import { PictureGrid } from './PictureGrid.tsx'
import { UploadList } from './UploadPictures.tsx'
import { useUploads } from './use-uploads.ts'

/** The site's picture library, searched, filtered and paged on the server. The state is in the URL. */
export function MediaLibrary({ search }: { search: MediaSearch }) {
  const { t } = useTranslation('media')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { data, isError, isPending, refetch } = useQuery(picturesQuery(search))
  const uploads = useUploads()
  const updateSearch = (next: MediaSearch) => void navigate({ to: '/admin/media', search: next })
  const page = search.page ?? 1
  const pages = Math.max(1, Math.ceil((data?.meta.total ?? 0) / PICTURES_PER_PAGE))
  const isFiltered = Boolean(search.q || search.missing)
  const { data: onPages = [] } = useQuery(pagePicturesQuery)
  const words = search.q?.toLowerCase() ?? ''
  const others = search.missing || page > 1 ? [] : onPages.filter(({ address }) => getFileName(address).toLowerCase().includes(words))
  return (
    <div className="admin-stack">
      <PageHeader
        title={admin('nav.media')}
        meta={data && t('count', { count: data.meta.total + others.length })}
        actions={<FileButton accept={PICTURE_TYPES} label={t('upload')} several onFiles={uploads.add} />}
      />
      <UploadList uploads={uploads} />
      <FilterBar>
        <search>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const q = new FormData(event.currentTarget).get('q')
              const words = typeof q === 'string' ? q.trim() : ''
              updateSearch({ ...(words ? { q: words } : {}), ...(search.missing ? { missing: 'yes' } : {}) })
            }}
          >
            <SearchField
              key={search.q ?? ''}
              name="q"
              labelClass="search-field-label"
              label={t('search')}
              button={t('find')}
              defaultValue={search.q ?? ''}
            />
          </form>
        </search>
        <CheckInput
          name="missing"
          label={t('only-missing')}
          value={search.missing === 'yes'}
          onChange={(on) => updateSearch({ ...(search.q ? { q: search.q } : {}), ...(on ? { missing: 'yes' } : {}) })}
        />
      </FilterBar>
      {isFiltered && (
        <p className="filters-active">
          {admin('filters.active')} <Link to="/admin/media">{admin('filters.clear')}</Link>
        </p>
      )}
      {isError && (
        <Notice kind="error" title={t('not-loaded')}>
          <Button kind="secondary" size="small" onClick={() => void refetch()}>
            {t('again')}
          </Button>
        </Notice>
      )}
      {isPending && <Spinner label={common('loading')} />}
      {data?.data.length === 0 && others.length === 0 && (
        <EmptyState title={isFiltered ? t('none-found') : t('none')} {...(isFiltered ? {} : { children: t('none-text') })} />
      )}
      {data && data.data.length > 0 && (
        <PictureGrid
          pictures={data.data}
          control={({ id }, name) => (
            <Link to="/admin/media/$id" params={{ id }}>
              {name}
            </Link>
          )}
        />
      )}
      <PagePictures pictures={others} />
      <Pagination
        label={admin('pages.label')}
        page={page}
        pages={pages}
        previous={admin('pages.previous')}
        next={admin('pages.next')}
        pageLabel={(number) => admin('pages.page', { number })}
        link={(number, children, attributes) => (
          <Link to="/admin/media" search={{ ...search, page: number }} {...attributes}>
            {children}
          </Link>
        )}
      />
    </div>
  )
}
