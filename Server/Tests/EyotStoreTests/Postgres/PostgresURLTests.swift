import Testing

@testable import EyotPostgres

@Suite("URLs of PostgreSQL")
struct PostgresURLTests {
    @Test func `Parameters of Eyot's own are taken out, and all others stay`() throws {
        let url = try #require(
            PostgresURL(
                "postgres://eyot:secret@a:5432,b:5432/eyot?sslmode=verify-full&pool_max_conns=20"
                    + "&target_session_attrs=read-write&prepared_statements=off&statement_timeout_seconds=7"))
        #expect(
            url.text == "postgres://eyot:secret@a:5432,b:5432/eyot?sslmode=verify-full&target_session_attrs=read-write")
        #expect(url.connections == 20)
        #expect(url.keepsStatements == false)
        #expect(url.statementSeconds == 7)
    }

    @Test func `What is said of a URL has no user and no password`() throws {
        for (text, said) in [
            ("postgres://eyot:secret@db.example.org:5432/eyot?sslmode=require", "postgres://db.example.org:5432/eyot"),
            ("postgresql://eyot:p%40ss@a,b/eyot", "postgres://a,b/eyot"), ("postgres://a/eyot", "postgres://a/eyot"),
            ("postgres:///eyot?host=/run", "postgres://eyot"),
            ("postgres://[::1]:5432/eyot", "postgres://[::1]:5432/eyot"),
        ] {
            #expect(try #require(PostgresURL(text)).description == said)
        }
    }

    /// libpq would repeat what it cannot read.
    @Test(
        "What libpq cannot read is refused, and so a part of a password is in no message",
        arguments: [
            "postgres://eyot:se@cret@a/eyot", "postgres://eyot:se/cret@a/eyot", "postgres://eyot:se?cret@a/eyot",
            "postgres://eyot:50%@a/eyot", "postgres://host%zz/eyot", "postgres://a/eyot?sslmode=%4",
            "postgres://a:b/eyot",
            "postgres://[::1]b/eyot",
        ])
    func form(text: String) { #expect(PostgresURL(text) == nil) }

    @Test func `A parameter with a wrong value is refused`() {
        for query in ["pool_max_conns=3", "pool_max_conns=x", "pool_max_conns", "prepared_statements=yes"] {
            #expect(PostgresURL("postgres://a/eyot?\(query)") == nil)
        }
        #expect(PostgresURL("mysql://a/eyot") == nil)
    }
}
