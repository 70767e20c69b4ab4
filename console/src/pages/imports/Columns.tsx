// The column mapping of a file: columns by target member, those kept as metadata, and those ignored.
import { Badge, Text, Title } from '@mantine/core'
import type { ImportPreview } from '../../api/schemas.ts'
import { text } from '../../texts/imports.ts'
import { labelOf } from '../../texts/members.ts'
import classes from './ImportPage.module.css'

export function Columns({ columns }: { columns: ImportPreview['columns'] }) {
  const byMember = Map.groupBy(columns, ({ as }) => as)
  const passed = byMember.get(undefined) ?? []
  const kept = byMember.get('metadata') ?? []
  const known = [...byMember].filter(([as]) => as !== undefined && as !== 'metadata')
  return (
    <section aria-labelledby="columns">
      <Title order={2} id="columns" mb="sm">
        {text.columns}
      </Title>
      <dl className={`${classes.card} ${classes.members}`}>
        {known.map(([as = '', own]) => (
          <Member key={as} label={as.split('.').map(labelOf).join(' · ')} columns={own} />
        ))}
        {kept.length > 0 && <Member label={text.kept} hint={text.keptHint} columns={kept} />}
        {passed.length > 0 && <Member label={text.passedOver} hint={text.passedOverHint} columns={passed} />}
      </dl>
    </section>
  )
}

function Member({ label, hint, columns }: { label: string; hint?: string; columns: ImportPreview['columns'] }) {
  return (
    <div className={classes.member}>
      <dt>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        {hint && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
      </dt>
      <dd>
        {columns.map(({ column }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: headings may stand twice.
          <Badge key={index} color="gray" maw="100%" size="lg" fw={400}>
            <bdi>{column}</bdi>
          </Badge>
        ))}
      </dd>
    </div>
  )
}
