import { pathTo } from '../larder.ts';
import { tell } from '../parts/toast.tsx';
import { askFirst } from './dialogs.tsx';
import { format } from './format.ts';
import { useLoaded } from './loaded.ts';
import { type Catalogue, operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { nameIn, Panel, Table, View } from './view.tsx';

/** The foods that search knows, by source, and the way back to earlier ones. */
export function FoodsPage() {
  const loaded = useLoaded(operator.catalogues);
  const { sections, catalogueText, inUse, earlier, noEarlier, importMore, use } = words.value;
  const { ago, bytes } = format.value;
  const activate = ({ id, foods, createdAt }: Catalogue) => {
    const { useTitle, useText, used } = words.value;
    askFirst({
      title: useTitle,
      text: useText(countOf(foods), ago(createdAt)),
      yes: use,
      act: async () => {
        await operator.activate(id);
        tell(used);
        await loaded.reload();
      },
    });
  };
  return (
    <View title={sections.foods} intro={catalogueText} loaded={loaded}>
      {({ active, catalogues }) => {
        const shown = catalogues.find(({ id }) => id === active);
        const others = catalogues.filter(({ id }) => id !== active);
        return (
          <>
            {shown !== undefined && (
              <Panel title={inUse} isWide>
                <p class="verdict">
                  <span class="number">{format.value.count(shown.foods)}</span>{' '}
                  <span class="quiet">
                    {sections.foods} · {bytes(shown.bytes)} · {ago(shown.createdAt)}
                  </span>
                </p>
                <Sources catalogue={shown} />
                <p>
                  <a class="button primary" href={pathTo('console/imports')}>
                    {importMore}
                  </a>
                </p>
              </Panel>
            )}
            <Panel title={earlier} isWide>
              {others.length === 0 && <p class="quiet">{noEarlier}</p>}
              {others.map((catalogue) => (
                <details key={catalogue.id} class="fold">
                  <summary>
                    <span>
                      <strong>{countOf(catalogue.foods)}</strong>{' '}
                      <span class="quiet">
                        {ago(catalogue.createdAt)} · {bytes(catalogue.bytes)}
                      </span>
                    </span>
                    <button type="button" onClick={() => activate(catalogue)}>
                      {use}
                    </button>
                  </summary>
                  <Sources catalogue={catalogue} />
                </details>
              ))}
            </Panel>
          </>
        );
      }}
    </View>
  );
}

function Sources({ catalogue: { sources } }: { readonly catalogue: Catalogue }) {
  const { source, imported, exportOf, sections, origins, unknown } = words.value;
  const { ago, count, day } = format.value;
  return (
    <Table
      label={source}
      columns={[source, sections.foods, imported, exportOf]}
      rows={sources}
      keyOf={({ origin }) => origin}
      cells={({ origin, foods, importedAt, exportDate }) => [
        nameIn(origins, origin),
        count(foods),
        <span key="at" title={format.value.moment(importedAt)}>
          {ago(importedAt)}
        </span>,
        exportDate === undefined ? <span class="quiet">{unknown}</span> : day(exportDate),
      ]}
    />
  );
}

const countOf = (foods: number) => words.value.foodsCount(format.value.count(foods));
