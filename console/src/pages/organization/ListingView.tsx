// An extension as a public list would show it. Pictures on other hosts are links: this page loads none of them.
import { Anchor, Badge, Group, Spoiler, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconArrowUpRight, IconPhoto, IconPuzzle } from '@tabler/icons-react'
import { text } from '../../texts/extensions.ts'
import { text as shell } from '../../texts/shell.ts'
import classes from './extensions.module.css'
import { type Listing, opened, priceOf, webUrl } from './listing.ts'

export function ListingView({ listing, organization }: { listing: Listing; organization: string }) {
  const { name, shortDescription, description, category, icon, gallery = [], website, price } = listing
  const surfaces = opened(listing)
  const pictures = gallery.flatMap((one) => webUrl(one) ?? [])
  const hasOthers = webUrl(icon) !== undefined || pictures.length > 0
  return (
    <article className={classes.listing}>
      <header className={classes.listingHead}>
        <Icon url={icon} />
        <div className={classes.listingName}>
          <Title order={3} className="name">
            <bdi>{name?.trim() || text.nameless}</bdi>
          </Title>
          <Text size="sm" c="dimmed" className="name">
            <bdi>{text.by(organization)}</bdi>
          </Text>
        </div>
        {typeof price === 'number' && <span className={classes.price}>{priceOf(price)}</span>}
      </header>
      {shortDescription && (
        <Text size="sm" className="name" fw={500}>
          {shortDescription}
        </Text>
      )}
      {category && (
        <Group>
          <Badge color="gray" maw="100%">
            <bdi>{category}</bdi>
          </Badge>
        </Group>
      )}
      {pictures.length > 0 && (
        <ul className={classes.gallery}>
          {pictures.slice(0, 6).map((url, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one picture may stand in it twice.
            <li key={n}>
              <Picture url={url} n={n + 1} />
            </li>
          ))}
        </ul>
      )}
      {description && (
        <Spoiler maxHeight={117} showLabel={shell.more} hideLabel={shell.close} fz="sm">
          <div className={`${classes.text} name`}>{description}</div>
        </Spoiler>
      )}
      {surfaces.length > 0 && <Surfaces surfaces={surfaces} />}
      {website && surfaces.length === 0 && <WebLink url={website} />}
      {hasOthers && (
        <Text size="xs" c="dimmed">
          {text.noPictures}
        </Text>
      )}
    </article>
  )
}

function Icon({ url }: { url: string | undefined }) {
  const to = webUrl(url)
  const sign = <IconPuzzle size={24} stroke={1.5} aria-hidden />
  return to === undefined ? (
    <div className={classes.icon}>{sign}</div>
  ) : (
    <a
      className={classes.icon}
      href={to.href}
      target="_blank"
      rel="noreferrer"
      title={to.href}
      aria-label={text.iconLink}
    >
      {sign}
    </a>
  )
}

function Picture({ url, n }: { url: URL; n: number }) {
  return (
    <a className={classes.picture} href={url.href} target="_blank" rel="noreferrer" title={url.href}>
      <VisuallyHidden>{text.picture(n, url.host)} </VisuallyHidden>
      <IconPhoto size={20} stroke={1.5} aria-hidden />
      <span className="cut">{url.pathname.split('/').at(-1) || url.host}</span>
    </a>
  )
}

function WebLink({ url }: { url: string | undefined }) {
  const to = webUrl(url)
  // Incomplete input: not a URL to follow yet.
  if (to === undefined) return <span className="cut muted">{url}</span>
  return (
    <Anchor href={to.href} target="_blank" rel="noreferrer" className={classes.web}>
      <span className="cut">{`${to.host}${to.pathname === '/' ? '' : to.pathname}`}</span>
      <IconArrowUpRight size={14} aria-hidden />
    </Anchor>
  )
}

function Surfaces({ surfaces }: { surfaces: ReturnType<typeof opened> }) {
  return (
    <ul className={classes.surfaces} aria-label={text.opens}>
      {surfaces.map(({ platform, type, url }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: surfaces may be alike.
        <li key={n}>
          <span className={classes.kind}>
            <bdi>{text.types.get(type ?? '') ?? type}</bdi>
            <span className="muted">
              <bdi>{text.platforms.get(platform ?? '') ?? platform}</bdi>
            </span>
          </span>
          <WebLink url={url} />
        </li>
      ))}
    </ul>
  )
}
