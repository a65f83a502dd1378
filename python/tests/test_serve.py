"""The server takes and gives what pyarrow writes and reads."""

import subprocess
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np
import pyarrow as pa
import pytest
from conftest import make_loans

from featureboost._command import find_command

ARROW = "application/vnd.apache.arrow.stream"


@pytest.fixture(scope="module")
def address(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("serve") / "model.fb.json"
    model.save(path)
    words = [*find_command(), "serve", "--model", str(path), "--port", "0", "--no-token", "--log", "none"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        yield server.stdout.readline().strip()
        server.terminate()


def as_stream(table, **options):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=700)
    return sink.getvalue().to_pybytes()


def post(address, body, **headers):
    request = Request(f"{address}/predict", body, {"Content-Type": ARROW, "Accept": ARROW, **headers})
    with urlopen(request, timeout=60) as answer:
        assert answer.headers["Content-Type"] == ARROW
        return pa.ipc.open_stream(answer.read()).read_all()


def loans_table(count):
    frame = make_loans(count, 5)
    frame.loc[::9, "region"] = None
    frame.loc[::11, "region"] = "never"
    table = pa.Table.from_pandas(frame, preserve_index=False)
    # Nanoseconds, which pandas has, are not read.
    place = table.schema.get_field_index("since")
    return frame, table.set_column(place, "since", table["since"].cast(pa.timestamp("us")))


def test_predictions_are_those_of_the_model(address, model):
    frame, table = loans_table(3000)
    answer = post(address, as_stream(table))
    assert answer.schema.names == ["prediction"]
    np.testing.assert_array_equal(answer["prediction"].to_numpy(), model.predict(frame))


def test_other_types_of_the_same_values_give_the_same(address, model):
    frame, table = loans_table(500)
    expected = post(address, as_stream(table))
    others = {"age": pa.uint8(), "region": pa.large_string(), "since": pa.date32()}
    for name, kind in others.items():
        table = table.set_column(table.schema.get_field_index(name), name, table[name].cast(kind))
    assert post(address, as_stream(table)).equals(expected)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (lambda table: as_stream(table, compression="zstd"), 400),
        (lambda table: as_stream(table.drop(["score"])), 422),
        (lambda table: as_stream(table)[:-900], 400),
        (lambda table: as_stream(table.set_column(0, "region", table["region"].dictionary_encode())), 400),
        (lambda table: b"hello", 400),
    ],
)
def test_what_is_not_read_is_refused(address, change, status):
    with pytest.raises(HTTPError) as refused:
        post(address, change(loans_table(50)[1]))
    assert refused.value.code == status
    assert b'"code":"FB_' in refused.value.read()
