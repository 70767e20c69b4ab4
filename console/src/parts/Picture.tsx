// A picture, if the content security policy allows it: kept here, from this host, or in the record itself; others become an icon.
import { IconPhoto, IconPhotoOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useScope } from '../api/company.ts'
import { attachmentAt, pictureLinkQuery } from '../api/picture-files.ts'
import classes from './Picture.module.css'

/** Whether the console's content security policy lets the browser show it. */
export function isShowable(url: string): boolean {
  if (/^data:image\//i.test(url)) return true
  try {
    return new URL(url, window.location.origin).origin === window.location.origin && !url.startsWith('data:')
  } catch {
    return false
  }
}

/** The URL to open it at; undefined if it is not a web address. */
export function hrefOf(url: string): string | undefined {
  try {
    const { protocol, href } = new URL(url, window.location.origin)
    return protocol === 'http:' || protocol === 'https:' ? href : undefined
  } catch {
    return undefined
  }
}

interface PictureProps {
  readonly url: string | undefined
  readonly size?: number
  readonly alt?: string
}

export function Picture(props: PictureProps) {
  const id = props.url === undefined ? undefined : attachmentAt(props.url)
  return id === undefined ? <Frame {...props} /> : <KeptPicture {...props} id={id} />
}

/** The file of an attachment, which is read by a link of its own. */
function KeptPicture({ id, ...props }: PictureProps & { id: string }) {
  const { data, isError } = useQuery(pictureLinkQuery(useScope(), id))
  return <Frame {...props} url={data?.path} isGone={isError} />
}

function Frame({ url, size = 40, alt = '', isGone = false }: PictureProps & { isGone?: boolean }) {
  const [broken, setBroken] = useState<string>()
  const isBroken = isGone || (url !== undefined && broken === url)
  return (
    <span className={classes.frame} style={{ width: size, height: size }}>
      {url !== undefined && isShowable(url) && !isBroken ? (
        <img src={url} alt={alt} width={size} height={size} loading="lazy" onError={() => setBroken(url)} />
      ) : isBroken ? (
        <IconPhotoOff size={size * 0.45} stroke={1.5} aria-hidden />
      ) : (
        <IconPhoto size={size * 0.45} stroke={1.5} aria-hidden />
      )}
    </span>
  )
}
