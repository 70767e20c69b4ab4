// What a new key gives access to: everything, or some resources, chosen by the names that people know.
import { Checkbox, Fieldset, Input, Radio, Stack, Text } from '@mantine/core'
import { text } from '../../texts/keys.ts'
import classes from './KeyForm.module.css'
import { type KeyResource, needCustomers, resourceGroups, withCustomers } from './key-resources.ts'

interface ResourceChoiceProps {
  /** Undefined for all. */
  readonly chosen: readonly KeyResource[] | undefined
  readonly choose: (resources: readonly KeyResource[] | undefined) => void
  readonly error: string | undefined
}

export function ResourceChoice({ chosen, choose, error }: ResourceChoiceProps) {
  return (
    <Stack gap="sm">
      <Radio.Group
        label={text.access}
        value={chosen === undefined ? 'all' : 'some'}
        onChange={(next) => choose(next === 'all' ? undefined : [])}
      >
        <div className={classes.permissions}>
          {(['all', 'some'] as const).map((choice) => (
            <Radio
              key={choice}
              value={choice}
              className={classes.permission}
              label={text.accessChoices[choice][0]}
              description={text.accessChoices[choice][1]}
            />
          ))}
        </div>
      </Radio.Group>
      {chosen !== undefined && (
        <>
          <div className={classes.groups}>
            {resourceGroups.map((group) => (
              <ResourceGroup key={group.title} {...group} chosen={chosen} choose={choose} />
            ))}
          </div>
          {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
          <Text size="xs" c="dimmed">
            {text.limitedHint}
          </Text>
        </>
      )}
    </Stack>
  )
}

interface ResourceGroupProps {
  readonly title: string
  readonly names: readonly (readonly [KeyResource, string])[]
  readonly chosen: readonly KeyResource[]
  readonly choose: (resources: readonly KeyResource[]) => void
}

function ResourceGroup({ title, names, chosen, choose }: ResourceGroupProps) {
  const toggle = (name: KeyResource, isOn: boolean) =>
    choose(withCustomers(isOn ? [...chosen, name] : chosen.filter((one) => one !== name)))
  return (
    <Fieldset legend={title} className={classes.group}>
      <Stack gap={10}>
        {names.map(([name, label]) => (
          <Checkbox
            key={name}
            size="xs"
            label={label}
            checked={chosen.includes(name)}
            disabled={name === 'customer' && needCustomers(chosen)}
            onChange={(event) => toggle(name, event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </Fieldset>
  )
}
