import { expect, test } from 'vitest';
import { newestFdcExport } from './fetch-export.ts';

const PAGE_URL = new URL('https://fdc.example/download-datasets');

test('the newest full CSV export is chosen, wherever it is in the page', () => {
  const page = `
    <a href="/fdc-datasets/FoodData_Central_csv_2024-10-31.zip">October</a>
    <a href='/fdc-datasets/FoodData_Central_branded_food_csv_2026-04-24.zip'>Branded only</a>
    <a href="/fdc-datasets/FoodData_Central_foundation_food_json_2026-04-24.zip">JSON</a>
    <script>var files = ["/fdc-datasets/FoodData_Central_csv_2025-12-18.zip"]</script>`;
  expect(newestFdcExport(page, PAGE_URL).href).toBe(
    'https://fdc.example/fdc-datasets/FoodData_Central_csv_2025-12-18.zip',
  );
});

test('a page without such a link is refused, and the error says what to do', () => {
  expect(() => newestFdcExport('<html>moved</html>', PAGE_URL)).toThrow(/LARDER_FDC_EXPORT_URL/);
});
